import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { localTime } from "../lib/local-time.ts";
import { runAtOnce, runGently } from "../lib/time-slice.ts";

const sessionsFolder = "sessions";
/** Archived rollouts lie side by side, without folders for days. */
export const archiveFolder = "archived_sessions";

/** The parts of a rollout's file name. */
export interface RolloutName {
  readonly threadId: string;
  /** Local time as `YYYY-MM-DDThh-mm-ss`. */
  readonly time: string;
  /** Set on files that Codex 0.166 makes when it reverts a thread. Sorts by age. */
  readonly revision: string;
}

const uuid = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const pattern = new RegExp(
  `^rollout-(\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d)-(${uuid})(?:_(${uuid}))?\\.jsonl(?:\\.zst)?$`,
);

/** The place of the thread's id in a name: looked at first, since a name in a hundred thousand matches. */
const idAt = "rollout-YYYY-MM-DDThh-mm-ss-".length;

const wholeId = new RegExp(`^${uuid}$`);

/** True when a rollout may use this id for its thread; nobody could request any other. */
export function isStoredId(id: string): boolean {
  return wholeId.test(id);
}

/** Codex's suffix for compressed rollouts, since 0.166. */
const compressed = ".zst";

/** True when a rollout has to be unpacked before it can be written. */
export function isCompressed(path: string): boolean {
  return path.endsWith(compressed);
}

/** The unpacked path of a compressed rollout; others stay as they are. */
export function unpackedPath(path: string): string {
  return isCompressed(path) ? path.slice(0, -compressed.length) : path;
}

export function compressedPath(path: string): string {
  return path + compressed;
}

/** Reads a file name; `undefined` for anything that is no rollout. */
export function parseRolloutName(name: string): RolloutName | undefined {
  const match = pattern.exec(name);
  if (!match) return undefined;
  return { time: match[1] ?? "", threadId: (match[2] ?? "").toLowerCase(), revision: match[3] ?? "" };
}

/** The path of a new thread's rollout. In local time, as Codex does. */
export function newRolloutPath(home: string, threadId: string, createdAtMs: number): string {
  const time = localTime(createdAtMs).replaceAll(":", "-");
  return join(dayFolder(home, time), `rollout-${time}-${threadId}.jsonl`);
}

/** The path to which an archived rollout returns. */
export function unarchivedPath(home: string, name: string): string | undefined {
  const parsed = parseRolloutName(name);
  return parsed && join(dayFolder(home, parsed.time), name);
}

/** A thread's files, oldest first, and whether they are archived. */
export interface ThreadFiles {
  readonly paths: readonly string[];
  readonly archived: boolean;
}

/** Finds the files of a thread without the index: first where it is likely to lie, then in all folders. */
export function findThreadFiles(home: string, threadId: string): ThreadFiles | undefined {
  return runAtOnce(finding(home, threadId));
}

/** The same, letting others in: there may be a hundred thousand files. */
export function findThreadFilesGently(home: string, threadId: string): Promise<ThreadFiles | undefined> {
  return runGently(finding(home, threadId));
}

function* finding(home: string, threadId: string): Generator<undefined, ThreadFiles | undefined> {
  const likely = likelyThreadFiles(home, threadId);
  if (likely) return likely;
  for (const folder of dayFolders(home)) {
    const paths = filesOf(folder, threadId.toLowerCase());
    if (paths.length > 0) return { paths, archived: false };
    yield;
  }
  return undefined;
}

/** Finds the files of a thread in the folder of the day in its id, or in the archive. */
export function likelyThreadFiles(home: string, threadId: string): ThreadFiles | undefined {
  const id = threadId.toLowerCase();
  for (const folder of likelyFolders(home, id)) {
    const paths = filesOf(folder, id);
    if (paths.length > 0) return { paths, archived: false };
  }
  const archived = filesOf(join(home, archiveFolder), id);
  return archived.length > 0 ? { paths: archived, archived: true } : undefined;
}

/** The files of a rollout's thread that lie beside it, itself included, oldest first. */
export function siblingFiles(path: string): string[] {
  const name = parseRolloutName(basename(path));
  return name ? filesOf(dirname(path), name.threadId) : [path];
}

/** All day folders, newest first. */
export function dayFolders(home: string): string[] {
  const numeric = (folder: string) =>
    readNames(folder)
      .filter((name) => /^\d+$/.test(name))
      .sort()
      .reverse()
      .map((name) => join(folder, name));
  return numeric(join(home, sessionsFolder)).flatMap(numeric).flatMap(numeric);
}

/** Names in a folder; none where it cannot be read. */
export function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function filesOf(folder: string, threadId: string): string[] {
  const names = readNames(folder).filter(
    (name) => name.slice(idAt, idAt + threadId.length).toLowerCase() === threadId && parseRolloutName(name),
  );
  // A packed file next to its unpacked one is the older.
  const current = names.filter((name) => !isCompressed(name) || !names.includes(unpackedPath(name)));
  return current.sort(byAge).map((name) => join(folder, name));
}

function byAge(a: string, b: string): number {
  const [left, right] = [parseRolloutName(a)?.revision ?? "", parseRolloutName(b)?.revision ?? ""];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The day in UTC and its neighbours: the file may come from another time zone. */
function likelyFolders(home: string, threadId: string): string[] {
  const ms = Number.parseInt(threadId.slice(0, 8) + threadId.slice(9, 13), 16);
  if (threadId[14] !== "7" || Number.isNaN(ms)) return [];
  const day = 86_400_000;
  const times = [ms, ms - day, ms + day].map((time) => new Date(time).toISOString());
  return times.map((time) => dayFolder(home, time));
}

function dayFolder(home: string, time: string): string {
  return join(home, sessionsFolder, time.slice(0, 4), time.slice(5, 7), time.slice(8, 10));
}

/** True when a path lies in the home's folders of threads; false for a thread resumed from elsewhere. */
export function isInHome(home: string, path: string): boolean {
  return path.startsWith(join(home, sessionsFolder, "/")) || isArchived(home, path);
}

/** True when a path lies in the home's archive. */
export function isArchived(home: string, path: string): boolean {
  return dirname(path) === join(home, archiveFolder);
}
