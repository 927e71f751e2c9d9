import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { type GitSetting, parseGitConfig } from "./config-file.ts";
import type { Repository } from "./find-repository.ts";
import { readGitFile } from "./read-git-file.ts";
import { userSettings } from "./user-settings.ts";

/**
 * Settings copied from a repository's configuration: they say how files are read and compared. None names a program, a
 * file or an address. All others (filters, hooks, watchers, remotes, includes, aliases) are left out.
 */
const inert: ReadonlySet<string> = new Set([
  ...["repositoryformatversion", "filemode", "symlinks", "ignorecase", "precomposeunicode", "autocrlf", "eol"].map(
    (key) => `core.${key}`,
  ),
  ...["safecrlf", "quotepath", "whitespace", "checkstat", "trustctime", "abbrev"].map((key) => `core.${key}`),
  ...["sparsecheckout", "sparsecheckoutcone"].map((key) => `core.${key}`),
  ...["objectformat", "refstorage"].map((key) => `extensions.${key}`),
  ...["noprefix", "mnemonicprefix", "srcprefix", "dstprefix", "renames", "renamelimit", "algorithm", "context"].map(
    (key) => `diff.${key}`,
  ),
  ...["interhunkcontext", "indentheuristic", "suppressblankempty", "relative"].map((key) => `diff.${key}`),
]);

/** The data in a git folder: commits, branches and lists of names. */
const data = ["objects", "refs", "packed-refs", "reftable", "shallow", "info"];

/** A git folder with the repository's data and none of its configuration. Its creator disposes of it. */
export interface SafeView extends Disposable {
  readonly gitDir: string;
  /** Folders that git must see to use it. */
  readonly reads: readonly string[];
}

/**
 * Makes a git folder of links to a repository's data with a configuration of our own. A configuration can name programs
 * under names of its choice (`filter.anything.clean`), so it is replaced, not overridden.
 */
export function safeView({ worktree, gitDir, commonDir }: Repository, home: string): SafeView {
  const folder = temporaryFolder(home, "git");
  const { path } = folder;
  try {
    for (const name of data) {
      const from = join(commonDir, name);
      if (existsSync(from)) symlinkSync(from, join(path, name));
    }
    writeFileSync(join(path, "HEAD"), readGitFile(join(gitDir, "HEAD")) ?? "ref: refs/heads/main\n");
    if (existsSync(join(gitDir, "index"))) symlinkSync(join(gitDir, "index"), join(path, "index"));
    const user = userSettings();
    writeFileSync(join(path, "config"), configOf(commonDir, user));
    return {
      gitDir: path,
      reads: [worktree, gitDir, commonDir, path, user.excludesFile, ...alternates(commonDir)],
      [Symbol.dispose]: () => folder[Symbol.dispose](),
    };
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

/** Git's own background work. Files above the threshold are compared as a whole. */
const switchedOff = `[core]
\tfsmonitor = false
\thooksPath = /dev/null
\tattributesFile = /dev/null
\tbigFileThreshold = 64m
[protocol]
\tallow = never
[submodule]
\trecurse = false
`;

function configOf(commonDir: string, user: ReturnType<typeof userSettings>): string {
  const settings = parseGitConfig(readGitFile(join(commonDir, "config")) ?? "") ?? [];
  const excludes = { section: "core", key: "excludesfile", value: user.excludesFile };
  const taken = [...user.settings.filter(isInert), ...settings.filter(isInert), excludes];
  return taken.map(settingText).join("") + switchedOff;
}

function isInert({ section, subsection, key }: GitSetting): boolean {
  return subsection === undefined && inert.has(`${section}.${key}`);
}

function settingText({ section, key, value }: Omit<GitSetting, "subsection">): string {
  const quoted = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `[${section}]\n\t${key} = "${quoted}"\n`;
}

/** Object folders that a repository shares with others. */
function alternates(commonDir: string): string[] {
  const listed = readGitFile(join(commonDir, "objects", "info", "alternates")) ?? "";
  return listed
    .split("\n")
    .filter((line) => line.startsWith("/") && existsSync(line))
    .map((line) => dirname(line));
}
