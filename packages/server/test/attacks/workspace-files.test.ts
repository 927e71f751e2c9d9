/** Attacks: files that a model or a repository wrote. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { attack } from "@quire/testkit/attack";
import { projectPaths } from "../../src/features/external-agent/agent-paths.ts";
import { newInstructions } from "../../src/features/external-agent/source.ts";
import { readManifest } from "../../src/plugins/manifest.ts";
import { promptSource } from "../../src/prompt/index.ts";
import { readTextIfAny } from "../../src/workspace-files/read-file.ts";
import { contextIn } from "../prompt/support.ts";
import { key, link, naive, type Plant, scene, told } from "./support/scene.ts";

/** Whether a key gets into the project's instructions. */
function instructs(plant: Plant) {
  return async (guarded: boolean) => {
    await using place = await scene();
    plant(place);
    return told(place, guarded).includes(key);
  };
}

attack("reads auth.json through a link named AGENTS.md", instructs(link(({ home }) => join(home, "auth.json"))));
attack(
  "reads .credentials.json through a link named AGENTS.md",
  instructs(link(({ home }) => join(home, ".credentials.json"))),
);
attack(
  "reads .gateway-credentials.json through a link named AGENTS.md",
  instructs(link(({ home }) => join(home, ".gateway-credentials.json"))),
);
attack(
  "reads the server's history through a link named AGENTS.md",
  instructs(link(({ home }) => join(home, "history.jsonl"))),
);
attack(
  "reads a private file of the user through a link named AGENTS.md",
  instructs(link(({ outside }) => join(outside, "private"))),
);
attack("reads a key through a relative link named AGENTS.md", instructs(link(() => "../home/auth.json")));
attack(
  "reads a key through a chain of links",
  instructs((place) => {
    symlinkSync(join(place.home, "auth.json"), join(place.workspace, "second"));
    symlinkSync("second", join(place.workspace, "AGENTS.md"));
  }),
);
attack(
  "reads a key through a linked folder on the way",
  instructs((place) => {
    symlinkSync(place.home, join(place.workspace, "docs"));
    symlinkSync("docs/auth.json", join(place.workspace, "AGENTS.md"));
  }),
);
attack(
  "reads a key through a hard link named AGENTS.md",
  instructs((place) => linkSync(join(place.home, "auth.json"), join(place.workspace, "AGENTS.md"))),
);
attack(
  "reads a key through the root of a process",
  instructs(link(({ home }) => `/proc/self/root${join(home, "auth.json")}`)),
);
attack(
  "reads a key through a home that lies in the workspace",
  instructs((place) => {
    renameSync(place.home, join(place.workspace, "home"));
    symlinkSync(join(place.workspace, "home"), place.home);
    symlinkSync("home/auth.json", join(place.workspace, "AGENTS.md"));
  }),
);

attack("reads a key by a link in a cloned repository", async (guarded) => {
  await using place = await scene();
  const origin = join(place.base, "origin");
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, stdio: "ignore" });
  mkdirSync(origin);
  git(origin, "init", "-q");
  symlinkSync("../home/auth.json", join(origin, "AGENTS.md"));
  git(origin, "add", "-A");
  git(origin, "commit", "-qm", "instructions");
  rmSync(place.workspace, { recursive: true });
  git(place.base, "clone", "-q", origin, place.workspace);
  return told(place, guarded).includes(key);
});

attack("reads a key by AGENTS.override.md", async (guarded) => {
  await using place = await scene();
  symlinkSync(join(place.home, "auth.json"), join(place.workspace, "AGENTS.override.md"));
  return told(place, guarded, "AGENTS.override.md").includes(key);
});

attack("swaps its instructions for a link after they were read", async (guarded) => {
  await using place = await scene();
  const path = join(place.workspace, "AGENTS.md");
  writeFileSync(path, "harmless");
  const prompts = promptSource(place.home);
  prompts.preamble(contextIn(place.workspace));
  await new Promise(setImmediate);
  rmSync(path);
  symlinkSync(join(place.home, "auth.json"), path);
  if (!guarded) return naive(path).includes(key);
  return JSON.stringify(prompts.preamble(contextIn(place.workspace)).sections).includes(key);
});

/** Whether a file is read that is none, or more of it than fits: the unguarded read takes all. */
function reads(plant: Plant, maxBytes = 1 << 10) {
  return async (guarded: boolean) => {
    await using place = await scene();
    plant(place);
    const path = join(place.workspace, "file");
    if (!guarded) return readFileSync(path).length > 0;
    return readTextIfAny(path, { root: { path: place.workspace }, home: place.home, maxBytes }) !== undefined;
  };
}

attack(
  "has a sparse file read that would fill the memory",
  reads((place) => {
    writeFileSync(join(place.workspace, "file"), "x");
    truncateSync(join(place.workspace, "file"), 1 << 20);
  }),
);
attack(
  "has the server's own environment read",
  reads(
    link(() => "/proc/self/environ", "file"),
    1 << 20,
  ),
);
attack(
  "has the server's own command line read",
  reads(
    link(() => "/proc/self/cmdline", "file"),
    1 << 20,
  ),
);
attack(
  "has a file of the system read that claims to be empty",
  reads(
    link(() => "/proc/cpuinfo", "file"),
    1 << 20,
  ),
);

attack("has an endless device read", async (guarded) => {
  await using place = await scene();
  const path = join(place.workspace, "file");
  symlinkSync("/dev/zero", path);
  if (!guarded) return execFileSync("head", ["-c", "100", path]).length === 100;
  return readTextIfAny(path, { root: { path: "/", trusted: true }, home: place.home, maxBytes: 100 }) !== undefined;
});

attack("has the server wait for a pipe", async (guarded) => {
  await using place = await scene();
  const path = join(place.workspace, "file");
  execFileSync("mkfifo", [path]);
  // The control: whoever opens it waits for a writer, and is killed.
  if (!guarded) {
    try {
      execFileSync("cat", [path], { timeout: 100 });
      return false;
    } catch {
      return existsSync(path);
    }
  }
  return readTextIfAny(path, { root: { path: place.workspace }, home: place.home, maxBytes: 100 }) !== undefined;
});

attack("has a key taken over as another agent's instructions", async (guarded) => {
  await using place = await scene();
  symlinkSync(join(place.home, "auth.json"), join(place.workspace, "CLAUDE.md"));
  if (!guarded) return naive(join(place.workspace, "CLAUDE.md")).includes(key);
  return newInstructions(projectPaths(place.workspace, place.home)) !== undefined;
});

attack("has a plugin's manifest read from outside of the plugin", async (guarded) => {
  await using place = await scene();
  writeFileSync(join(place.outside, "plugin.json"), '{ "name": "evil" }');
  const path = join(place.workspace, ".codex-plugin", "plugin.json");
  mkdirSync(dirname(path));
  symlinkSync(join(place.outside, "plugin.json"), path);
  return guarded ? readManifest(place.workspace) !== undefined : naive(path).includes("evil");
});
