import { execFile } from "node:child_process";
import { dirname } from "node:path";
import process from "node:process";
import { cleanPath } from "../lib/clean-path.ts";

/** Longest time and output of one call: a repository that needs more is left to a person. */
const timeoutMs = 120_000;
const maxOutput = 64 * 1024 * 1024;

/** Switches off programs that a branch may contain: a relative `core.hooksPath` leads into the files checked out. */
const withoutHooks: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "submodule.recurse": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
};

/**
 * Option of a push by which the git of the other side starts nothing that its repository names. It does not get the settings
 * of this side.
 */
export const quietReceiver: string = [
  "--receive-pack=git",
  ...Object.entries({ ...withoutHooks, "core.alternateRefsCommand": ":", "receive.autogc": "false" }).map(
    ([key, value]) => `-c ${key}=${value}`,
  ),
  "receive-pack",
].join(" ");

/** Switches off everything by which a repository could have git start a program, or change its result. */
const settings: Readonly<Record<string, string>> = {
  ...withoutHooks,
  "core.untrackedCache": "false",
  "core.ignoreStat": "false",
  "core.sshCommand": "false",
  "core.askPass": "false",
  "core.pager": "cat",
  "core.editor": "false",
  "credential.helper": "",
  "commit.gpgSign": "false",
  "status.submoduleSummary": "false",
  "diff.ignoreSubmodules": "dirty",
  "safe.bareRepository": "explicit",
  "protocol.allow": "never",
};

/**
 * Runs git in a repository that an agent has worked in, with nothing of what the repository says being started: no hooks,
 * no monitor, no filters and merge drivers but the user's own, no network.
 *
 * Commands that look at changes of files need `--ignore-submodules=dirty`: for each repository below, git would start
 * another that knows the filters of that repository. `git add` has no such option and is not to be used.
 *
 * @param folder The repository's own top: none above it is taken instead.
 */
export async function git(
  folder: string,
  args: readonly string[],
  { settings: more, input, run: runGit = runLocalGit }: SafeGitOptions = {},
): Promise<string> {
  const filters = await filterSettings(folder, runGit);
  return runGit(folder, args, { variables: isolating(folder, { ...settings, ...filters, ...more }), input });
}

/** Runs git in a folder of some machine, with variables that decide what it may do. */
export type RunGit = (
  folder: string,
  args: readonly string[],
  options: { readonly variables: Readonly<Record<string, string>>; readonly input?: string | undefined },
) => Promise<string>;

/** Runs git on this machine. No program is found in the folder. */
export const runLocalGit: RunGit = (folder, args, { variables, input }) => {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const env = { ...Object.fromEntries(own), PATH: cleanPath(process.env.PATH, folder), ...variables };
  return run(folder, args, { env, input });
};

/** Options of {@link git}. */
interface SafeGitOptions {
  /** For this call. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** Default: none. */
  readonly input?: string | undefined;
  /** Runs it; on this machine unless another way is given. */
  readonly run?: RunGit | undefined;
}

/**
 * Runs git in a repository of the user's own, in which no agent has worked, with its filters and remotes. Its hooks do not
 * run: a branch may have changed them, and nobody is there who would have looked.
 *
 * @param reach A folder in which no program is looked for.
 */
export function userGit(repository: string, args: readonly string[], reach: string): Promise<string> {
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_") || userVariables.test(name));
  return run(repository, args, {
    env: {
      ...Object.fromEntries(env),
      PATH: cleanPath(process.env.PATH, reach),
      GIT_TERMINAL_PROMPT: "0",
      ...variablesOf(withoutHooks),
    },
  });
}

/** Options of {@link ownGit}. */
export interface OwnGitOptions {
  /** For this call, such as the header of a credential. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** Ends it, in the way that lets it remove its locks. */
  readonly signal?: AbortSignal | undefined;
  /** Variables for reaching another machine. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * Runs git in a repository of the orchestrator's own, which takes commits from workspaces and hands them on. Nothing of a
 * workspace's configuration counts there, so that it cannot lead a push and its credential elsewhere.
 *
 */
export function ownGit(
  repository: string,
  args: readonly string[],
  { settings: more, signal, env: reaching }: OwnGitOptions = {},
): Promise<string> {
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_") || userVariables.test(name));
  return run(repository, args, {
    env: {
      ...Object.fromEntries(env),
      // It may be handed a credential.
      PATH: cleanPath(process.env.PATH, repository),
      LC_ALL: "C",
      GIT_TERMINAL_PROMPT: "0",
      GIT_NO_LAZY_FETCH: "1",
      GIT_ALLOW_PROTOCOL: "file:https:http:ssh",
      ...reaching,
      ...variablesOf({ ...withoutHooks, "http.followRedirects": "false", ...more }),
    },
    signal,
  });
}

/** Variables for reaching remotes. All other ones could choose another repository than the one named. */
const userVariables = /^GIT_(SSH(_COMMAND|_VARIANT)?|ASKPASS|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM))$/;

/**
 * Filters and merge drivers as the user's own configuration has them. Of those that only the repository names, filters do
 * nothing, and drivers leave a conflict.
 */
async function filterSettings(folder: string, runGit: RunGit): Promise<Readonly<Record<string, string>>> {
  const args = ["config", "--null", "--show-scope", "--get-regexp", "^(filter\\..*|merge\\..*\\.driver)$"];
  const listed = await runGit(folder, args, { variables: isolating(folder, settings) }).catch(
    (error: { cause?: { code?: unknown } }) => {
      // It found none.
      if (error.cause?.code === 1) return "";
      throw error;
    },
  );
  const parts = listed.split("\0");
  const filters: Record<string, string> = {};
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope, entry = ""] = [parts[at], parts[at + 1]];
    const end = entry.indexOf("\n");
    const key = end < 0 ? entry : entry.slice(0, end);
    const value = end < 0 ? "" : entry.slice(end + 1);
    if (scope === "system" || scope === "global") filters[key] = value;
    else filters[key] ??= key.startsWith("merge.") || key.endsWith(".required") ? "false" : "";
  }
  return filters;
}

interface GitRun {
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

function run(folder: string, args: readonly string[], { env, input, signal }: GitRun): Promise<string> {
  return new Promise((done, fail) => {
    const child = execFile(
      "git",
      ["-C", folder, ...args],
      { env, timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: maxOutput },
      (error, stdout, stderr) => {
        if (!error) return done(stdout);
        fail(
          new Error(`git ${args.slice(0, 2).join(" ")} failed: ${stderr.trim() || error.message}`, { cause: error }),
        );
      },
    );
    // It may end before it has read all.
    child.stdin?.on("error", () => undefined).end(input);
    const end = () => child.kill("SIGTERM");
    signal?.addEventListener("abort", end, { once: true });
    child.once("close", () => signal?.removeEventListener("abort", end));
    if (signal?.aborted) end();
  });
}

function isolating(folder: string, config: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return {
    LC_ALL: "C",
    GIT_CEILING_DIRECTORIES: dirname(folder),
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // Both: the first is of git 2.44, the second counts more than any setting of the repository.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_REPLACE_OBJECTS: "1",
    ...variablesOf(config),
  };
}

/** Settings as variables, which count more than any file. @param after How many there are already. */
function variablesOf(config: Readonly<Record<string, string>>, after = 0): Readonly<Record<string, string>> {
  const entries = Object.entries(config);
  return {
    GIT_CONFIG_COUNT: String(after + entries.length),
    ...Object.fromEntries(
      entries.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${after + index}`, key],
        [`GIT_CONFIG_VALUE_${after + index}`, value],
      ]),
    ),
  };
}

/**
 * Variables by which any git that a script starts runs no hooks and no monitor: in a workspace an agent may have written
 * them. `git -c core.hooksPath=…` still takes precedence, for users who want them.
 */
export function gitWithoutHooks(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const known = Number(env.GIT_CONFIG_COUNT ?? 0);
  const { "core.hooksPath": hooksPath = "", "core.fsmonitor": fsmonitor = "" } = withoutHooks;
  return variablesOf(
    { "core.hooksPath": hooksPath, "core.fsmonitor": fsmonitor },
    Number.isSafeInteger(known) && known > 0 ? known : 0,
  );
}
