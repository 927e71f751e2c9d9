import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { allowLine } from "../../../src/approval/rules/rule.ts";
import { sandboxLauncher } from "../../../src/run/sandbox/sandbox-launcher.ts";
import { FakeThread } from "../../tools/fake-context.ts";
import { workspaceWrite } from "./attempt.ts";
import { type World, world } from "./world.ts";

/** A command that a person agreed to once, or that only looks, and what a model has put in its way. */
export interface Plot {
  readonly cmd: string;
  /** Beginnings that rules allow. Without them the command runs under `untrusted`, for it only looks. */
  readonly allowed?: readonly (readonly string[])[];
  /** Puts it there; success leaves a file `stolen` outside. Gives variables of the server. */
  plant(place: Planting): Readonly<Record<string, string>> | undefined;
  /** Below the workspace. */
  readonly workdir?: string;
  readonly login?: boolean;
  /** Whether the model asks to leave the sandbox. */
  readonly escalated?: boolean;
  /** Further folders that commands may write, below the world. */
  readonly writableRoots?: readonly string[];
  /** What is asked is answered so, and done before. Default: no. */
  answer?(place: Planting, asked: number): string;
  /** Done after the first run; then the command is run again. */
  between?(place: Planting): void;
}

/** A world and what is done in it. */
export interface Planting extends World {
  /** What a planted program does, as a line for a shell. */
  readonly steal: string;
  /** Writes a file, below the world, that can be run. */
  put(path: string, text: string): string;
  /** Runs git below the workspace. */
  git(folder: string, ...args: string[]): string;
}

/** Whether a plot works: guarded, or with full access and without questions. */
export async function succeeds(plot: Plot, guarded: boolean): Promise<boolean> {
  await using place = await world();
  const planting = { ...place, steal: `: > ${place.outside}/stolen`, put: put(place), git: gitIn(place) };
  put(place)("user/.keep", "");
  const path = "/usr/bin:/bin";
  const given = { PATH: path, HOME: join(place.base, "user"), ...(plot.plant(planting) ?? {}) };
  const rules = (plot.allowed ?? []).map(allowLine).join("");
  const looks = plot.allowed === undefined;
  const roots = plot.writableRoots?.map((name) => join(place.base, name)) ?? [];
  await using thread = new FakeThread(place.workspace, {
    env: given,
    launcher: async () => sandboxLauncher({ home: place.home, env: given }),
    settings: guarded
      ? looks
        ? { approvalPolicy: "untrusted" }
        : { approvalPolicy: "on-request", sandboxPolicy: workspaceWrite({ writableRoots: roots }) }
      : {},
  });
  put(place)("workspace/home/rules/default.rules", rules);
  let asked = 0;
  thread.answer = async () => ({ decision: plot.answer?.(planting, ++asked) ?? "decline" });
  const { cmd, workdir = ".", login = false } = plot;
  const escalation = plot.escalated && guarded ? { sandbox_permissions: "require_escalated" } : {};
  const run = async () => {
    if (!guarded) plot.answer?.(planting, ++asked);
    await thread.call("exec_command", { cmd, workdir, login, shell: "bash", ...escalation }).catch(() => undefined);
  };
  await run();
  if (plot.between) {
    if (existsSync(join(place.outside, "stolen"))) throw new Error("it was stolen already");
    plot.between(planting);
    await run();
  }
  return existsSync(join(place.outside, "stolen"));
}

/** Writes files below a world that can be run. */
export function put({ base }: World): Planting["put"] {
  return (name, text) => {
    const path = join(base, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, 0o755);
    return path;
  };
}

/** Runs git below a workspace, without settings of the user. */
export function gitIn({ workspace }: World): Planting["git"] {
  return (folder, ...args) => {
    const cwd = join(workspace, folder);
    mkdirSync(cwd, { recursive: true });
    const env = { PATH: "/usr/bin:/bin", HOME: "/nonexistent", GIT_CONFIG_GLOBAL: "/dev/null" };
    const names = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"];
    const end = Bun.spawnSync(["git", ...names, ...args], { cwd, env });
    if (end.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${end.stderr.toString()}`);
    return end.stdout.toString().trim();
  };
}

/** A program that steals. */
export function script(steal: string): string {
  return `#!/bin/sh\n${steal}\n`;
}
