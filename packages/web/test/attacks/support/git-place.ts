import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "@quire/testkit";
import type { RunScript } from "../../../src/scripts/run-script.ts";

const variables = { GIT_CONFIG_NOSYSTEM: "1", GIT_AUTHOR_NAME: "Me", GIT_AUTHOR_EMAIL: "me@example.org" };

/** A repository of a user's, and the way in which the page runs scripts in it. */
export async function gitPlace() {
  const dir = await tempDir();
  const [home, top, tmp] = ["home", "work", "tmp"].map((name) => join(dir.path, name)) as [string, string, string];
  for (const folder of [join(home, ".quire"), top, tmp]) mkdirSync(folder, { recursive: true });
  const env: NodeJS.ProcessEnv = {
    ...variables,
    GIT_COMMITTER_NAME: "Me",
    GIT_COMMITTER_EMAIL: "me@example.org",
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: tmp,
  };
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: top, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  const run: RunScript = (script, { env: more = {}, args = [] }) =>
    new Promise((done) => {
      const options = { cwd: top, env: { ...env, ...more } };
      execFile("/bin/sh", ["-c", script, "sh", ...args], options, (error, stdout, stderr) =>
        done({ exitCode: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      );
    });
  git("init", "-q", "-b", "main");
  writeFileSync(join(top, "file"), "1\n");
  git("add", "file");
  git("commit", "-qm", "Begin");
  const mark = join(dir.path, "ran");
  return { dir, top, tmp, env, git, run, mark, [Symbol.asyncDispose]: () => dir.remove() };
}

/** What {@link gitPlace} makes. */
export type GitPlace = Awaited<ReturnType<typeof gitPlace>>;
