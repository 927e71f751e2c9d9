import { noRepository, type RunScript, succeeded } from "../scripts/run-script.ts";
import { createScript, receiveScript, removeScript, sendScript, whereScript } from "../scripts/worktree-scripts.ts";

/** The place of a folder among the worktrees of its repository. */
export interface Place {
  readonly top: string;
  /** The folder of the main checkout. */
  readonly main: string;
  /** The folder is in a worktree beside the main checkout. */
  readonly linked: boolean;
  readonly branch: string | null;
  /** Files that are not committed. */
  readonly changed: number;
  /** Files and folders that git ignores. */
  readonly ignored: number;
}

/** Finds out where a folder stands; null where there is no repository. */
export async function readPlace(run: RunScript): Promise<Place | null> {
  const result = await run(whereScript, {});
  if (result.exitCode === noRepository) return null;
  const { stdout } = await succeeded(Promise.resolve(result));
  const facts = new Map(stdout.split("\n").map((line) => [line.split("=", 1)[0], line.slice(line.indexOf("=") + 1)]));
  const fact = (name: string): string => facts.get(name) ?? "";
  return {
    top: fact("top"),
    main: fact("main"),
    linked: fact("linked") !== "",
    branch: fact("branch") || null,
    changed: Number(fact("changed")),
    ignored: Number(fact("ignored")),
  };
}

/** Makes a worktree and resolves with the folder in it. Its name says what it is for and is like no other. */
export async function createWorktree(run: RunScript, title: string, carry: boolean): Promise<string> {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const random = Math.random().toString(16).slice(2, 6).padEnd(4, "0");
  const name = [...words.slice(0, 4).map((word) => word.slice(0, 16)), random].join("-");
  return (await succeeded(run(createScript, { env: { NAME: name, CARRY: carry ? "1" : "" } }))).stdout.trim();
}

interface Handing {
  readonly from: RunScript;
  readonly to: RunScript;
  readonly thread: string;
}

/** Brings the changes of a worktree to the main checkout, as uncommitted ones; resolves with its folder. */
export async function bringBack({ from, to, thread }: Handing): Promise<string> {
  const [commit = "", head = ""] = (await succeeded(from(sendScript, {}))).stdout.trim().split(" ");
  const env = { THREAD: thread, COMMIT: commit, THEIRS: head };
  return (await succeeded(to(receiveScript, { env }))).stdout.trim();
}

/** Removes the worktree of a folder; resolves with the commit that keeps what was not committed, null where all was. */
export async function removeWorktree(run: RunScript): Promise<string | null> {
  return (await succeeded(run(removeScript, {}))).stdout.trim() || null;
}
