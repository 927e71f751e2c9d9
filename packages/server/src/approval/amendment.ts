import { runsAnything } from "./wrappers.ts";

/** Programs for which the name or an option alone is too broad for a rule. */
const tooBroad = new Set("cargo curl git go npm pip pnpm uv wget yarn".split(" "));

/** Commands of such programs that run whatever follows: a rule needs the name of that. */
const runners: ReadonlyMap<string, readonly string[]> = new Map([
  ["cargo", ["run"]],
  ["git", ["bisect", "config", "difftool", "filter-branch", "for-each-repo", "mergetool", "rebase", "submodule"]],
  ["go", ["generate", "run", "tool"]],
  ["npm", ["create", "exec", "explore", "init", "run", "run-script", "x"]],
  ["pnpm", ["create", "dlx", "exec", "run"]],
  ["uv", ["run", "tool"]],
  ["yarn", ["create", "dlx", "exec", "node", "run"]],
]);

/**
 * The rule to propose for commands that no rule allows: the model's prefix if it matches and is specific enough, else
 * the first command with all its words. `null` when there is nothing to allow.
 */
export function proposeAmendment(
  open: readonly (readonly string[])[],
  named: readonly string[] | undefined,
): string[] | null {
  if (named !== undefined && isSensible(named) && open.some((command) => beginsWith(command, named))) return [...named];
  const [first] = open;
  return first === undefined || !isSensible(first) ? null : [...first];
}

function isSensible(prefix: readonly string[]): boolean {
  const [program = ""] = prefix;
  if (prefix.length === 0 || runsAnything(program)) return false;
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (!tooBroad.has(name)) return true;
  const [, command, object] = prefix;
  // An option, such as `-c`, is as good as nothing.
  if (command === undefined || command.startsWith("-")) return false;
  return runners.get(name)?.includes(command) !== true || (object !== undefined && !object.startsWith("-"));
}

function beginsWith(command: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= command.length && prefix.every((word, index) => word === command[index]);
}
