import { type DiffFile, parseDiff } from "../items/diff/parse-diff.ts";
import { maxOutputBytes, noRepository, type RunScript, succeeded } from "../scripts/run-script.ts";
import { changeWords } from "../words/words.ts";
import { branchScript, commitScript, pushScript, stateScript } from "./scripts.ts";

/** Base of a comparison with the work tree: its last commit, where its branch left the main one, or a turn's checkpoint. */
export type GitScope = "uncommitted" | "branch" | "turn";

/** The turn that the scope `turn` begins with. */
export interface TurnPlace {
  readonly thread: string;
  readonly turn: string;
}

/** A repository as it is now. */
export interface RepositoryState {
  /** The folder of the work tree. */
  readonly top: string;
  /** Null while no branch is checked out. */
  readonly branch: string | null;
  readonly hasCommits: boolean;
  /** A merge or the like is in progress, which only the terminal can finish. */
  readonly busy: boolean;
  readonly remote: string;
  /** The address that is pushed to. */
  readonly remoteUrl: string | null;
  /** Commits that only the branch has, and that only its remote has; null before it was pushed. */
  readonly ahead: number | null;
  readonly behind: number | null;
  /** The branch that the scope `branch` compares with. */
  readonly base: string | null;
  /** The turn has a checkpoint: what it changed is known. */
  readonly hasTurn: boolean;
  readonly files: readonly DiffFile[];
  /** The diff was too long to be taken whole. */
  readonly clipped: boolean;
}

/** Reads the state of the repository around a folder; null where there is none. */
export async function readRepository(
  run: RunScript,
  scope: GitScope,
  place: TurnPlace | null = null,
): Promise<RepositoryState | null> {
  const turn = place === null ? {} : { THREAD: place.thread, TURN: place.turn };
  const { exitCode, stdout, stderr } = await run(stateScript, { env: { SCOPE: scope, ...turn } });
  if (exitCode === noRepository) return null;
  if (exitCode !== 0) throw new Error(stderr.trim() || changeWords.gitEndedCode(exitCode));
  const end = stdout.indexOf("\n\n");
  const head = end < 0 ? stdout : stdout.slice(0, end);
  const facts = new Map(
    head.split("\n").map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const fact = (name: string): string | null => facts.get(name) || null;
  const [ahead, behind] = (fact("counts") ?? "").split(" ");
  return {
    top: fact("top") ?? "",
    branch: fact("branch"),
    hasCommits: fact("head") !== null,
    busy: fact("busy") !== null,
    remote: fact("remote") ?? "origin",
    remoteUrl: fact("url"),
    ahead: ahead ? Number(ahead) : null,
    behind: behind ? Number(behind) : null,
    base: fact("base")?.replace(/^refs\/(?:heads|remotes)\//, "") ?? null,
    hasTurn: fact("turn") !== null,
    files: parseDiff(end < 0 ? "" : stdout.slice(end + 2)),
    clipped: stdout.length >= maxOutputBytes,
  };
}

/** A file to be committed, whole or some of its hunks, which are counted from 1. */
export interface Pick {
  readonly file: DiffFile;
  readonly hunks: readonly number[] | "all";
}

/** Commits files as they are in the work tree, or some of their hunks. */
export async function commitFiles(run: RunScript, picks: readonly Pick[], message: string): Promise<void> {
  const parts = picks.flatMap(({ file, hunks }) =>
    hunks === "all" ? [] : [file.path, `,${hunks.join(",")},`, String(file.hunks.length)],
  );
  const whole = picks.filter(({ hunks }) => hunks === "all");
  const paths = whole.flatMap(({ file: { path, from } }) => (from === null ? [path] : [from, path]));
  const env = { MESSAGE: message.trim(), PARTS: String(parts.length / 3) };
  await succeeded(run(commitScript, { env, args: [...parts, ...paths] }));
}

/** Makes a branch and checks it out; the files stay as they are. */
export async function createBranch(run: RunScript, name: string): Promise<void> {
  await succeeded(run(branchScript, { env: { NAME: name.trim() } }));
}

/** Pushes the branch to its remote, which must still be at the address that was shown. */
export async function pushBranch(run: RunScript, remoteUrl: string): Promise<void> {
  await succeeded(run(pushScript, { env: { URL: remoteUrl } }));
}
