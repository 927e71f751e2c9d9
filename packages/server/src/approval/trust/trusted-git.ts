import { hasLongOption, hasShortOption, isOption } from "./options.ts";

/** Git commands that only read. An alias cannot take their names; any other word may be an alias for anything. */
const looking = new Set("blame cat-file diff log ls-files ls-tree rev-list rev-parse shortlog show status".split(" "));

/** Options of any command that run a program or write a file. */
const reaching = [
  "--output",
  "--ext-diff",
  "--textconv",
  "--filters",
  "--exec",
  "--exec-path",
  "--open-files-in-pager",
  "--upload-pack",
  "--paginate",
  "--contents",
  "--git-dir",
  "--work-tree",
  "--config-env",
  // By a git of their own, with the settings of each submodule.
  "--submodule",
  "--recurse-submodules",
];

/** Forms of `git branch` that list. */
const listing = /^(-a|-r|-v|-vv|--all|--remotes|--verbose|--list|--show-current)$/;

/** True when a git command only reads. Options before the command, such as `-c` and `-C`, can make it do anything. */
export function isTrustedGit(args: readonly string[]): boolean {
  const [command, ...rest] = args[0] === "--no-pager" ? args.slice(1) : args;
  if (command === undefined || isOption(command)) return false;
  if (command === "branch") return rest.every((word) => listing.test(word));
  if (!looking.has(command)) return false;
  return (
    !hasLongOption(rest, reaching) &&
    !hasShortOption(
      rest.filter((word) => !/^-\d+$/.test(word)),
      "oO",
    )
  );
}
