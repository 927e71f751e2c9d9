import { isAbsolute } from "node:path";
import type { WritablePlaces } from "./writable-places.ts";

/** Variables with paths from which shells, loaders and languages take code. */
const ofPaths = new Set(
  (
    "BASH_ENV CDPATH CLASSPATH DYLD_FALLBACK_LIBRARY_PATH DYLD_FRAMEWORK_PATH DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH ENV " +
    "GIT_CONFIG GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_EXEC_PATH GIT_TEMPLATE_DIR LD_AUDIT LD_LIBRARY_PATH LD_PRELOAD MAGIC " +
    "NODE_PATH PERL5LIB PERLLIB PYTHONHOME PYTHONPATH PYTHONSTARTUP RIPGREP_CONFIG_PATH RUBYLIB XDG_CONFIG_HOME ZDOTDIR"
  ).split(" "),
);

/** Variables with commands or options, which may name such files. */
const ofCommands = new Set(
  (
    "EDITOR GIT_ASKPASS GIT_EDITOR GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_SSH GIT_SSH_COMMAND JAVA_TOOL_OPTIONS LESSCLOSE " +
    "LESSOPEN MANPAGER NODE_OPTIONS PERL5OPT RUBYOPT SSH_ASKPASS SUDO_ASKPASS VISUAL"
  ).split(" "),
);

/** Variables that lead git to another repository. */
const elsewhere = new Set("GIT_COMMON_DIR GIT_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_WORK_TREE".split(" "));

/** Settings that keep git from running anything while it only reads. Those under free names are judged elsewhere. */
const gitSettings: readonly (readonly [string, string])[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["safe.bareRepository", "explicit"],
];

type Variables = Readonly<Record<string, string>>;

/** The variables without those by which a program would take code from where a model may have put it. */
export function safeVariables(env: Variables, places: WritablePlaces): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => {
    if (name.startsWith("BASH_FUNC_") || name === "SHELLOPTS" || name === "BASHOPTS") return false;
    if (ofPaths.has(name)) return !parts(value, /[\s:;]+/).some((part) => !isAbsolute(part) || places.has(part));
    if (ofCommands.has(name)) return !parts(value, /[\s:;|=,]+/).some((part) => leads(part, places));
    return !elsewhere.has(name) || (isAbsolute(value) && !places.has(value));
  });
  return Object.fromEntries(kept);
}

/** Keeps git from running a repository's programs, as far as variables can. */
export function readOnlyVariables(env: Variables, places: WritablePlaces): Record<string, string> {
  const before = Number.parseInt(env.GIT_CONFIG_COUNT ?? "0", 10) || 0;
  const settings = gitSettings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  const kept = Object.entries(env).filter(([name]) => !elsewhere.has(name));
  // The settings in a home that a model can write may be the model's.
  const global = env.HOME === undefined || places.has(env.HOME) ? { GIT_CONFIG_GLOBAL: "/dev/null" } : {};
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(settings),
    ...global,
    GIT_CONFIG_COUNT: String(before + gitSettings.length),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
  };
}

function parts(value: string, separators: RegExp): string[] {
  return value.split(separators).filter((part) => part !== "");
}

function leads(part: string, places: WritablePlaces): boolean {
  return isAbsolute(part) ? places.has(part) : part.includes("/") || part === "." || part === "..";
}
