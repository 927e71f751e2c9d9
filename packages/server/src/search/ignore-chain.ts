import { homedir } from "node:os";
import { join } from "node:path";
import { readFile, readTextIfAny } from "../workspace-files/read-file.ts";
import { repositoryRoot } from "../workspace-files/real-path.ts";
import { anywhere } from "../workspace-files/root.ts";
import { type FolderRules, IgnoreRules, maxWork } from "./ignore-rules.ts";

/** Ignore files that are not git's own come first. */
const files = [".ignore", ".gitignore"] as const;

/** Maximum rules for one path over all ignore files above it. Files that would exceed it are skipped. */
const maxRules = 50_000;

/** Larger ignore files are skipped. */
const maxIgnoreBytes = 1 << 20;

/** From this weight on, a path may take so long that it gets a time slice of its own. */
const heavyWeight = 4096;

/** The rules of one folder and those above. A folder without rules shares its parent's chain. */
interface Link {
  readonly rules: IgnoreRules;
  /** Length of the absolute path of the rules' folder, with its slash. */
  readonly depth: number;
  readonly above: Link | undefined;
  /** Number and weight of the rules, including those above. */
  readonly size: number;
  readonly weight: number;
}

/** All rules of a folder, separately for each kind of ignore file. */
export class IgnoreChain {
  readonly #own: Link | undefined;
  readonly #git: Link | undefined;

  private constructor(own: Link | undefined, git: Link | undefined) {
    this.#own = own;
    this.#git = git;
  }

  /** The rules at a root: those of the user, the repository and the folders in between. */
  static at(root: string, env: Readonly<Record<string, string | undefined>>): IgnoreChain {
    const repository = repositoryRoot(root);
    let git: Link | undefined;
    for (const file of userFiles(env)) git = linked(file, `${root}/`.length, git);
    if (repository === undefined) return new IgnoreChain(undefined, git);
    git = linked(join(repository, ".git", "info", "exclude"), `${repository}/`.length, git);
    let chain = new IgnoreChain(undefined, git);
    const between = root.slice(repository.length).split("/").slice(1, -1);
    if (repository !== root) chain = chain.inside(`${repository}/`, files);
    let folder = repository;
    for (const name of between) {
      folder = join(folder, name);
      chain = chain.inside(`${folder}/`, files);
    }
    return chain;
  }

  /**
   * The rules within a folder, given by its absolute path with a slash.
   * @param present Names in it, of which ignore files are read.
   */
  inside(folder: string, present: readonly string[]): IgnoreChain {
    const [own, git] = files.map((name) => (present.includes(name) ? folder + name : undefined));
    if (own === undefined && git === undefined) return this;
    return new IgnoreChain(
      own === undefined ? this.#own : linked(own, folder.length, this.#own),
      git === undefined ? this.#git : linked(git, folder.length, this.#git),
    );
  }

  /** The rules that may match something in a folder (absolute, with a slash); `undefined` when there are none. */
  within(folder: string): FolderIgnores | undefined {
    const own = rulesWithin(this.#own, folder);
    const git = rulesWithin(this.#git, folder);
    const weight = (this.#own?.weight ?? 0) + (this.#git?.weight ?? 0);
    return own.length + git.length === 0 ? undefined : new FolderIgnores([...own, ...git], weight >= heavyWeight);
  }
}

/** All rules that may match something in a folder, the nearest first. The first verdict wins. */
export class FolderIgnores {
  readonly #rules: readonly FolderRules[];
  readonly #work = { left: maxWork };
  /** True when a single path may take noticeably long. */
  readonly heavy: boolean;

  constructor(rules: readonly FolderRules[], heavy: boolean) {
    this.#rules = rules;
    this.heavy = heavy;
  }

  ignores(name: string, isFolder: boolean): boolean {
    const rules = this.#rules;
    const work = this.#work;
    work.left = maxWork;
    for (let at = 0; at < rules.length; at++) {
      const verdict = (rules[at] as FolderRules).judge(name, isFolder, work);
      if (verdict !== undefined) return verdict === "ignored";
    }
    return false;
  }
}

function rulesWithin(chain: Link | undefined, folder: string): FolderRules[] {
  const all: FolderRules[] = [];
  for (let link = chain; link !== undefined; link = link.above) {
    const rules = link.rules.within(folder.slice(link.depth));
    if (rules !== undefined) all.push(rules);
  }
  return all;
}

function linked(file: string, depth: number, above: Link | undefined): Link | undefined {
  try {
    // Never waits for a pipe of that name, and never reads a device.
    const read = readFile(file, { ...anywhere(file), maxBytes: maxIgnoreBytes });
    if (read === undefined) return above;
    const rules = new IgnoreRules(read.bytes.toString());
    const size = rules.size + (above?.size ?? 0);
    if (rules.size === 0 || size > maxRules) return above;
    return { rules, depth, above, size, weight: rules.weight + (above?.weight ?? 0) };
  } catch {
    // Missing or unreadable: no rules.
    return above;
  }
}

function userFiles(env: Readonly<Record<string, string | undefined>>): string[] {
  const home = env.HOME ?? homedir();
  const config = env.XDG_CONFIG_HOME || join(home, ".config");
  const path = join(home, ".gitconfig");
  const text = readTextIfAny(path, { ...anywhere(path), maxBytes: maxIgnoreBytes }) ?? "";
  const named = /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(text)?.[1];
  return [named ? named.replace(/^~(?=\/)/, home) : join(config, "git", "ignore")];
}
