/** Attacks: hooks of trusted projects. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import type { TestClient } from "../../support/test-client.ts";
import { testServer } from "../../support/test-server.ts";

interface Scene {
  readonly root: string;
  /** A command that shows that it ran. */
  readonly evil: string;
  /** Writes `.codex/hooks.json`, or another file of hooks. */
  hooks(events: Readonly<Record<string, readonly object[]>>, file?: string): void;
}

interface Plot {
  /** What is there when the user trusts the project and its hooks. */
  before?(scene: Scene): void;
  /** What the attacker does: in the control before, else after. */
  plant(scene: Scene): void;
}

const group = (command: string, matcher?: string) => ({
  ...(matcher !== undefined && { matcher }),
  hooks: [{ type: "command", command }],
});

/** Trusts a project with its hooks, runs a turn, and gives whether the attacker's hook ran. */
async function ran({ before, plant }: Plot, guarded: boolean): Promise<boolean> {
  await using folder = await tempDir("quire-hooks-");
  const root = join(folder.path, "repo");
  const home = join(folder.path, "home");
  for (const path of [join(root, ".git"), join(root, ".codex"), home]) mkdirSync(path, { recursive: true });
  const scene: Scene = {
    root,
    evil: `touch ${folder.path}/ran`,
    hooks: (hooks, file = ".codex/hooks.json") => writeFileSync(join(root, file), JSON.stringify({ hooks })),
  };
  before?.(scene);
  if (!guarded) plant(scene);
  await using server = await testServer({ home });
  const talk = server.client;
  await agree(talk, root);
  if (guarded) plant(scene);
  await talk.turn(await talk.thread({ cwd: root }));
  return existsSync(join(folder.path, "ran"));
}

/** Trusts a project, and all hooks that it has now. */
async function agree(talk: TestClient, root: string): Promise<void> {
  const write = (keyPath: string, value: unknown) =>
    talk.request("config/value/write", { keyPath, value, mergeStrategy: "upsert" });
  await write(`projects.${JSON.stringify(root)}.trust_level`, "trusted");
  const { data } = await talk.request("hooks/list", { cwds: [root] });
  const states = data[0].hooks.map((hook: { key: string; currentHash: string }) => [
    hook.key,
    { trusted_hash: hook.currentHash },
  ]);
  if (states.length > 0) await write("hooks.state", Object.fromEntries(states));
}

attack("runs a hook by a hooks.json that it wrote into a trusted project", (guarded) =>
  ran({ plant: ({ hooks, evil }) => hooks({ SessionStart: [group(evil)] }) }, guarded),
);
attack("adds a hook to a trusted hooks.json", (guarded) =>
  ran(
    {
      before: ({ hooks }) => hooks({ SessionStart: [group("true")] }),
      plant: ({ hooks, evil }) => hooks({ SessionStart: [group("true"), group(evil)] }),
    },
    guarded,
  ),
);
attack("changes the command of a trusted hook", (guarded) =>
  ran(
    {
      before: ({ hooks }) => hooks({ SessionStart: [group("true")] }),
      plant: ({ hooks, evil }) => hooks({ SessionStart: [group(evil)] }),
    },
    guarded,
  ),
);
attack("moves a trusted hook to another event", (guarded) =>
  ran(
    {
      before: ({ hooks, evil }) => hooks({ Interrupt: [group(evil)] }),
      plant: ({ hooks, evil }) => hooks({ SessionStart: [group(evil)] }),
    },
    guarded,
  ),
);
attack("widens the matcher of a trusted hook", (guarded) =>
  ran(
    {
      before: ({ hooks, evil }) => hooks({ SessionStart: [group(evil, "clear")] }),
      plant: ({ hooks, evil }) => hooks({ SessionStart: [group(evil, "startup")] }),
    },
    guarded,
  ),
);
attack("runs a hook by a hooks.json that links to a file it wrote", (guarded) =>
  ran(
    {
      before: ({ hooks }) => hooks({ SessionStart: [group("true")] }),
      plant: ({ hooks, evil, root }) => {
        hooks({ SessionStart: [group(evil)] }, "own.json");
        rmSync(join(root, ".codex/hooks.json"));
        symlinkSync("../own.json", join(root, ".codex/hooks.json"));
      },
    },
    guarded,
  ),
);
attack("runs a hook by a config.toml that it wrote into a trusted project", (guarded) =>
  ran(
    {
      plant: ({ root, evil }) =>
        writeFileSync(
          join(root, ".codex/config.toml"),
          `[[hooks.SessionStart]]\n[[hooks.SessionStart.hooks]]\ntype = "command"\ncommand = ${JSON.stringify(evil)}\n`,
        ),
    },
    guarded,
  ),
);

test("a client hears of a project's hooks that nobody has agreed to, and of those that are gone", async () => {
  await using folder = await tempDir("quire-hooks-");
  const root = join(folder.path, "it's mine");
  const home = join(folder.path, "home");
  const file = join(root, ".codex/hooks.json");
  for (const path of [join(root, ".git"), join(root, ".codex"), home]) mkdirSync(path, { recursive: true });
  const write = (command: string) => writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: [group(command)] } }));
  write("check one");
  await using server = await testServer({ home });
  const talk = server.client;
  const warnings = () =>
    talk.received
      .filter(({ params }) => params.path === file)
      .map(({ params: { summary, details } }) => [summary, details]);
  await agree(talk, root);
  await talk.thread({ cwd: root });
  assert.deepEqual(warnings(), []);

  write("check two");
  await talk.thread({ cwd: root });
  await talk.waitFor("configWarning", ({ summary }) => /1 hook is not run/.test(summary));
  const [[, details] = []] = warnings();
  assert.match(details, /^PreToolUse: check two\. Check it, then run `quire trust '.*it'\\''s mine'`/);

  rmSync(file);
  await talk.thread({ cwd: root });
  await talk.waitFor("configWarning", ({ summary }) => /1 hook is gone that you had agreed to/.test(summary));
});
