/** Attacks: the places of homes, from within the sandbox. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Attempt, testAttempts } from "../support/attempt.ts";
import type { World } from "../support/world.ts";

const evil = "echo evil > ";

/** Whether what the command made lies at a path that a server would read. */
const isEvil =
  (...parts: string[]) =>
  ({ base }: World) => {
    const path = join(base, ...parts);
    return existsSync(path) && readFileSync(path, "utf8").includes("evil");
  };

/** A home some folders below the workspace. */
const deep = {
  prepare: ({ workspace }: World) => {
    mkdirSync(join(workspace, "a/b/home"), { recursive: true });
    writeFileSync(join(workspace, "a/b/home/config.toml"), "");
    return {};
  },
  serverEnv: ({ workspace }: World) => ({ CODEX_HOME: join(workspace, "a/b/home") }),
};

const attempts: readonly Attempt[] = [
  {
    name: "moves the folder above a home away, and puts a home of its own there",
    ...deep,
    scripts: [`mv a x; mkdir -p a/b/home; ${evil} a/b/home/config.toml`],
    escaped: isEvil("workspace/a/b/home/config.toml"),
  },
  {
    name: "moves the folder above a home to another place, to read what is in it there",
    ...deep,
    prepare: (place) => {
      deep.prepare(place);
      writeFileSync(join(place.workspace, "a/b/home/auth.json"), "escaped\n");
      return {};
    },
    scripts: ["mv a/b x; mv x/home y; cat x/home/auth.json y/auth.json"],
    escaped: (_, output) => output.includes("escaped"),
  },
  {
    name: "reads the token of an orchestrator's status API",
    prepare: ({ base }) => {
      mkdirSync(join(base, ".quire/orchestrator"), { recursive: true });
      writeFileSync(join(base, ".quire/orchestrator/status-8080.token"), "escaped\n");
      return {};
    },
    scripts: ['cat "$BASE"/.quire/orchestrator/*.token'],
    escaped: (_, output) => output.includes("escaped"),
  },
  {
    name: "reads what an orchestrator knows of its runs, where QUIRE_HOME names its home",
    prepare: ({ outside }) => void writeFileSync(join(outside, "state.sqlite"), "escaped\n"),
    serverEnv: ({ outside }) => ({ QUIRE_HOME: outside }),
    scripts: ['cat "$OUT/state.sqlite"'],
    escaped: (_, output) => output.includes("escaped"),
  },
  {
    name: "makes the home of a Codex where there is none yet",
    roots: ({ base }) => [join(base, "workspace")],
    prepare: ({ workspace }) => void mkdirSync(join(workspace, "user")),
    serverEnv: ({ workspace }) => ({ HOME: join(workspace, "user") }),
    scripts: [`mkdir -p user/.codex; ${evil} user/.codex/config.toml`],
    escaped: isEvil("workspace/user/.codex/config.toml"),
  },
  {
    name: "makes the home that CODEX_HOME names where there is none yet",
    prepare: ({ workspace }) => void mkdirSync(join(workspace, "user")),
    serverEnv: ({ workspace }) => ({ CODEX_HOME: join(workspace, "user/own") }),
    scripts: [`mkdir -p user/own; ${evil} user/own/config.toml`],
    escaped: isEvil("workspace/user/own/config.toml"),
  },
  {
    name: "leads the link that names a home to a home of its own",
    prepare: ({ workspace, outside }) => void symlinkSync(outside, join(workspace, "home")),
    serverEnv: ({ workspace }) => ({ CODEX_HOME: join(workspace, "home") }),
    scripts: [`mkdir mine; ${evil} mine/config.toml; ln -sfn mine home`],
    refusal: /QUIRE_HOME or CODEX_HOME/,
    escaped: isEvil("workspace/home/config.toml"),
  },
  {
    name: "leads a link above a home elsewhere",
    prepare: ({ workspace, outside }) => {
      mkdirSync(join(outside, ".codex"));
      symlinkSync(outside, join(workspace, "user"));
      return {};
    },
    serverEnv: ({ workspace }) => ({ HOME: join(workspace, "user") }),
    scripts: [`mkdir -p mine/.codex; ${evil} mine/.codex/config.toml; rm user; mv mine user`],
    escaped: isEvil("workspace/user/.codex/config.toml"),
  },
];

testAttempts(attempts);
