import { compileGlob, type Glob } from "../../lib/glob.ts";
import { isTable } from "../../lib/table.ts";

/** The rules by which variables of commands derive from the server's. Keys as in `[shell_environment_policy]`. */
export interface EnvironmentPolicy {
  /** The initial set: everything, only {@link coreVariables}, or nothing. */
  readonly inherit: "all" | "core" | "none";
  /** True to keep variables that look like secrets by their names. */
  readonly ignoreDefaultExcludes: boolean;
  /** Names to leave out; `*` and `?` match as in file names, in either case. */
  readonly exclude: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  /** If not empty, everything else is removed. */
  readonly includeOnly: readonly string[];
}

/** The minimum that a shell needs. */
const coreVariables = [
  "PATH",
  "SHELL",
  "TMPDIR",
  "TEMP",
  "TMP",
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LOGNAME",
  "USER",
  "USERNAME",
];

/** Names of likely secrets. Compiled once: needed for every command. */
const secretNames = ["*KEY*", "*SECRET*", "*TOKEN*"].map(toGlob);

/** Reads `shell_environment_policy` of a configuration; what is missing or of the wrong type takes its default. */
export function environmentPolicy(raw: Readonly<Record<string, unknown>>): EnvironmentPolicy {
  const table = raw.shell_environment_policy;
  const given: Readonly<Record<string, unknown>> = isTable(table) ? table : {};
  return {
    inherit: given.inherit === "core" || given.inherit === "none" ? given.inherit : "all",
    ignoreDefaultExcludes: given.ignore_default_excludes === true,
    exclude: strings(given.exclude),
    set: isTable(given.set) ? stringValues(given.set) : {},
    includeOnly: strings(given.include_only),
  };
}

/**
 * The variables of a command.
 * @param never Names that no command sees, such as that of the model's key.
 */
export function commandVariables(
  policy: EnvironmentPolicy,
  server: Readonly<Record<string, string | undefined>>,
  never: readonly string[] = [],
): Record<string, string> {
  const excludes = [...(policy.ignoreDefaultExcludes ? [] : secretNames), ...policy.exclude.map(toGlob)];
  const only = policy.includeOnly.map(toGlob);
  const hidden = new Set(never);
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(server)) {
    if (value === undefined || hidden.has(name) || policy.inherit === "none") continue;
    if (policy.inherit === "core" && !coreVariables.includes(name.toUpperCase())) continue;
    if (!excludes.some((glob) => glob.matches(name))) env[name] = value;
  }
  for (const [name, value] of Object.entries(policy.set)) if (!hidden.has(name)) env[name] = value;
  if (only.length === 0) return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => only.some((glob) => glob.matches(name))));
}

/** Variables set for every command of an agent: no colours, no pager, nothing that waits for a key. */
export function agentVariables(threadId: string, callId: string): Record<string, string> {
  return {
    NO_COLOR: "1",
    TERM: "dumb",
    COLORTERM: "",
    LANG: "C.UTF-8",
    LC_CTYPE: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GH_PAGER: "cat",
    CODEX_CI: "1",
    CODEX_THREAD_ID: threadId,
    CODEX_SESSION_ID: threadId,
    CODEX_TOOL_CALL_ID: callId,
  };
}

function toGlob(pattern: string): Glob {
  return compileGlob(pattern, { ignoreCase: true, flat: true });
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

function stringValues(table: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(table).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
