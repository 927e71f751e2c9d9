/** Attacks: pipes and links where the server reads a project. */
import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { ConfigFiles } from "../../../src/config/config-files.ts";
import { recentSessions } from "../../../src/features/external-agent/sessions.ts";
import { readGitFile } from "../../../src/git/read-git-file.ts";
import { findHooks } from "../../../src/hooks/find-hooks.ts";
import { parsePatch } from "../../../src/patch/parse-patch.ts";
import { planPatch } from "../../../src/patch/plan-patch.ts";
import { readManifest } from "../../../src/plugins/manifest.ts";
import { promptSource } from "../../../src/prompt/index.ts";
import { reachOf } from "../../../src/run/sandbox/reach.ts";
import { IgnoreChain } from "../../../src/search/ignore-chain.ts";
import { contextIn } from "../../prompt/support.ts";
import { workspaceWrite } from "../support/attempt.ts";
import { key, naive, scene } from "../support/scene.ts";
import type { World } from "../support/world.ts";

/**
 * Whether the server waits for a pipe of that name: then these tests would never end. The control: whoever opens it waits
 * for a writer, and is killed.
 */
function waits(name: string, read: (place: World, path: string) => unknown) {
  return async (guarded: boolean) => {
    await using place = await scene();
    const path = join(place.workspace, name);
    if (path.startsWith(join(place.workspace, ".git"))) rmSync(join(place.workspace, ".git"), { recursive: true });
    mkdirSync(dirname(path), { recursive: true });
    execFileSync("mkfifo", [path]);
    if (guarded) {
      await read(place, path);
      return false;
    }
    try {
      execFileSync("cat", [path], { timeout: 50 });
      return false;
    } catch {
      return existsSync(path);
    }
  };
}

const preamble = ({ home, workspace }: World) => promptSource(home).preamble(contextIn(workspace));

attack("has the server wait for a pipe named AGENTS.md", waits("AGENTS.md", preamble));
attack("has the server wait for a pipe named SKILL.md", waits(".agents/skills/x/SKILL.md", preamble));
attack(
  "has the server wait for a pipe named config.toml",
  waits(".codex/config.toml", (_, path) => new ConfigFiles().read(path)),
);
attack(
  "has the server wait for a pipe named hooks.json",
  waits(".codex/hooks.json", ({ home }, path) => findHooks({ layers: [], folders: [dirname(path)], home })),
);
attack(
  "has the server wait for a pipe named .gitignore",
  waits(".gitignore", ({ workspace }) => IgnoreChain.at(workspace, {}).inside(`${workspace}/`, [".gitignore"])),
);
attack(
  "has the server wait for a pipe named .git",
  waits(".git", ({ workspace, home, base }) =>
    reachOf({ policy: workspaceWrite(), workspace: [workspace], tty: false }, { home, env: { HOME: base } }),
  ),
);
attack(
  "has the server wait for a pipe named HEAD",
  waits(".git/HEAD", (_, path) => readGitFile(path)),
);
attack(
  "has the server wait for a pipe named plugin.json",
  waits(".codex-plugin/plugin.json", ({ workspace }) => readManifest(workspace)),
);
attack(
  "has the server wait for a pipe among another agent's conversations",
  waits("sessions/project/a.jsonl", ({ workspace }) =>
    recentSessions(join(workspace, "sessions"), new Set(), { maxAgeDays: 1, max: 10 }),
  ),
);
attack(
  "has the server wait for a pipe that a patch updates",
  waits("notes.txt", async ({ workspace, home }) => {
    const patch = parsePatch("*** Begin Patch\n*** Update File: notes.txt\n@@\n-one\n+two\n*** End Patch\n");
    await planPatch(patch, { cwd: workspace, home }).catch(() => undefined);
  }),
);

/** Whether a key gets into the instructions of a thread that runs in a folder of the workspace. */
function instructs(folder: string, plant: (place: World, path: string) => void) {
  return async (guarded: boolean) => {
    await using place = await scene();
    const path = join(place.workspace, folder, "AGENTS.md");
    plant(place, path);
    if (!guarded) return naive(path).includes(key);
    const { sections } = promptSource(place.home).preamble(contextIn(dirname(path)));
    return JSON.stringify(sections).includes(key);
  };
}

attack(
  "reads a key by a link named AGENTS.md in a package",
  instructs("pkg", ({ home }, path) => {
    mkdirSync(dirname(path));
    symlinkSync(join(home, "auth.json"), path);
  }),
);
attack(
  "reads a key by another name of it in a package",
  instructs("pkg", ({ home }, path) => {
    mkdirSync(dirname(path));
    linkSync(join(home, "auth.json"), path);
  }),
);
attack(
  "reads a private file by a package that is a link out of the repository",
  instructs("pkg", ({ outside }, path) => {
    writeFileSync(join(outside, "AGENTS.md"), key);
    symlinkSync(outside, dirname(path));
  }),
);
attack(
  "reads a private file by a linked folder above a package",
  instructs("packages/pkg", ({ workspace, outside }) => {
    mkdirSync(join(outside, "pkg"));
    writeFileSync(join(outside, "pkg", "AGENTS.md"), key);
    symlinkSync(outside, join(workspace, "packages"));
  }),
);

/** A name with a NUL, which other languages end a path with. */
attack("has a key read by a name that goes on behind a NUL", async (guarded) => {
  await using place = await scene();
  const name = "../home/auth.json\0.txt";
  // What a check of the name's end lets through, and the system then cuts.
  if (!guarded) return readFileSync(join(place.workspace, name.split("\0", 1)[0] ?? ""), "utf8").includes(key);
  const patch = parsePatch(`*** Begin Patch\n*** Delete File: ${name}\n*** End Patch\n`);
  const plan = await planPatch(patch, { cwd: place.workspace, home: place.home }).catch(() => []);
  return plan.some(({ before }) => before?.bytes.includes(key));
});

/** Whether the key of a Codex beside the server is read. Its home is the one that the environment names. */
function readsBeside(read: (place: World, path: string) => Promise<string>) {
  return async (guarded: boolean) => {
    await using place = await scene();
    const beside = join(place.base, "codex");
    mkdirSync(beside);
    const path = join(beside, "auth.json");
    writeFileSync(path, key);
    if (!guarded) return naive(path).includes(key);
    const before = process.env.CODEX_HOME;
    process.env.CODEX_HOME = beside;
    try {
      return (await read(place, path)).includes(key);
    } finally {
      if (before === undefined) delete process.env.CODEX_HOME;
      else process.env.CODEX_HOME = before;
    }
  };
}

attack(
  "names the key of a Codex beside the server as a skill for its agent",
  readsBeside(async ({ home, workspace }, path) => {
    const input = [{ type: "skill" as const, path, name: "x" }];
    return JSON.stringify(await promptSource(home).userMessages(input, contextIn(workspace).settings));
  }),
);
attack(
  "has the key of a Codex beside the server shown by a patch",
  readsBeside(async ({ home, workspace }, path) => {
    const patch = parsePatch(`*** Begin Patch\n*** Delete File: ${path}\n*** End Patch\n`);
    const plan = await planPatch(patch, { cwd: workspace, home }).catch(() => []);
    return plan.map(({ before }) => before?.bytes.toString()).join("");
  }),
);
