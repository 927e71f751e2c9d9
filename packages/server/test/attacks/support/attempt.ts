import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { SandboxPolicy } from "@quire/protocol";
import { tempDir } from "@quire/testkit";
import type { Launch } from "../../../src/run/process/launcher.ts";
import { removeIdlePlaceholders } from "../../../src/run/sandbox/hold-placeholders.ts";
import { sandboxLauncher } from "../../../src/run/sandbox/sandbox-launcher.ts";
import { type World, world } from "./world.ts";

/** Something that a command could do to what is none of its business. */
export interface Attempt {
  readonly name: string;
  /** Scripts, run one after the other. Each finds the world's folders in `$WS`, `$OUT`, `$SERVER_HOME` and `$BASE`. */
  readonly scripts: readonly string[];
  /** Whether it worked. What takes a moment to show may be waited for, knowing what to expect. */
  escaped(world: World, output: string, confined: boolean): boolean | Promise<boolean>;
  /** Makes what there is to attack; gives more variables for the scripts. */
  prepare?(world: World): Variables | Promise<Variables>;
  /** Ends what was prepared, and what the attempt has left where nothing held it back. */
  cleanUp?(world: World): void | Promise<void>;
  readonly policy?: Partial<WorkspaceWrite>;
  /** The workspace's folders. Default: the one of the world. */
  roots?(world: World): readonly string[];
  /** Further variables of the server. */
  serverEnv?(world: World): Record<string, string>;
  /** Whether only root could do it anyway: nobody else can show that it works without the sandbox. */
  readonly asRoot?: boolean;
  /** What the last command must have failed with, where it must not even start. */
  readonly refusal?: RegExp;
}

type Variables = Readonly<Record<string, string>> | undefined;
type WorkspaceWrite = Extract<SandboxPolicy, { type: "workspaceWrite" }>;

/** Printed by every script at its end: a sandbox in which nothing runs would hold everything back. */
const ran = "the script came to its end";

/** Tests that attempts work where nothing holds them back, and fail in the sandbox. */
export function testAttempts(attempts: readonly Attempt[]): void {
  for (const attempt of attempts) {
    test(attempt.name, async () => {
      if (attempt.asRoot !== true || process.getuid?.() === 0) {
        const { escaped, output } = await tryOut(attempt, false);
        assert.ok(escaped, `it does not even work without a sandbox:\n${output}`);
      }
      const { escaped, output, refused } = await tryOut(attempt, true);
      assert.ok(!escaped, `it escaped:\n${output}`);
      if (attempt.refusal) assert.match(refused ?? "", attempt.refusal);
      else assert.ok(output.trimEnd().endsWith(ran), `the command did not run:\n${output}${refused ?? ""}`);
    });
  }
}

async function tryOut(attempt: Attempt, confined: boolean) {
  await using place = await world();
  const { base, workspace, outside, home } = place;
  const folders = { BASE: base, WS: workspace, OUT: outside, SERVER_HOME: home, HOME: base };
  const server = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: base, ...attempt.serverEnv?.(place) };
  let output = "";
  let refused: string | undefined;
  try {
    const env = { ...server, ...folders, ...(await attempt.prepare?.(place)) };
    const launcher = sandboxLauncher({ home, env: server });
    for (const script of attempt.scripts) {
      const plain: Launch = { argv: ["/bin/bash", "-c", `${script}\necho; echo ${ran}`], cwd: workspace, env };
      const confinement = {
        policy: workspaceWrite(attempt.policy),
        workspace: attempt.roots?.(place) ?? [workspace],
        tty: false,
      };
      try {
        output += await outputOf(confined ? launcher(plain, confinement) : plain);
      } catch (error) {
        refused = (error as Error).message;
      }
    }
    // What only kept a place is not what the command made.
    removeIdlePlaceholders();
    return { escaped: await attempt.escaped(place, output, confined), output, refused };
  } finally {
    await attempt.cleanUp?.(place);
  }
}

/** The policy that most agents run under. */
export function workspaceWrite(changes: Partial<WorkspaceWrite> = {}): WorkspaceWrite {
  return {
    type: "workspaceWrite",
    writableRoots: [],
    networkAccess: false,
    excludeSlashTmp: false,
    excludeTmpdirEnvVar: false,
    ...changes,
  };
}

/**
 * Runs a command to its end, as the server does: in a session of its own. What it leaves behind is not waited for. It
 * prints to a file, which holds all that was printed before its end; of a pipe some might not have been read by then.
 */
export async function outputOf({ argv: [program = "", ...args], cwd, env, hold }: Launch): Promise<string> {
  await using folder = await tempDir("quire-output-");
  const path = join(folder.path, "output");
  const output = openSync(path, "a");
  const release = hold?.();
  try {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", output, output] });
    await once(child, "exit");
  } finally {
    release?.();
    closeSync(output);
  }
  return readFileSync(path, "utf8");
}
