import { basename, isAbsolute } from "node:path";
import type { PrefixRule } from "./rule.ts";
import type { RuleValue } from "./rule-reader.ts";

/** The paths under which a program may be named where rules know it by its name. */
export interface ProgramPaths {
  readonly name: string;
  readonly paths: readonly string[];
}

/** Folders of the system's programs, for names without a rule about paths. */
const systemFolders = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/** Reads a call of `host_executable`. Throws what is wrong. */
export function toProgramPaths(args: ReadonlyMap<string, RuleValue>): ProgramPaths {
  const name = args.get("name");
  const paths = args.get("paths");
  if (typeof name !== "string" || name === "" || name.includes("/"))
    throw new Error("`name` must be the name of a program");
  const isPath = (path: RuleValue) => typeof path === "string" && isAbsolute(path) && basename(path) === name;
  if (!Array.isArray(paths) || !paths.every(isPath)) {
    throw new Error(`\`paths\` must be a list of absolute paths that end in ${JSON.stringify(name)}`);
  }
  return { name, paths: paths as string[] };
}

/** Extends rules that allow a program by name to its paths. Elsewhere anybody may have put a program of that name. */
export function withPaths(rules: readonly PrefixRule[], known: readonly ProgramPaths[]): PrefixRule[] {
  const listed = new Map(known.map(({ name, paths }) => [name, paths]));
  return rules.map((rule) => {
    const [first, ...rest] = rule.pattern;
    if (rule.decision !== "allow" || first === undefined) return rule;
    const names = typeof first === "string" ? [first] : first;
    const paths = names.flatMap((name) => (name.includes("/") ? [] : (listed.get(name) ?? systemPaths(name))));
    return paths.length === 0 ? rule : { ...rule, pattern: [[...names, ...paths], ...rest] };
  });
}

function systemPaths(name: string): string[] {
  return systemFolders.map((folder) => `${folder}/${name}`);
}
