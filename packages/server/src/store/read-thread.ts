import { basename } from "node:path";
import { ServerFault, StoreError } from "../lib/faults.ts";
import { runAtOnce, runGently } from "../lib/time-slice.ts";
import { applyLine, newRecord, settle } from "../record/fold.ts";
import type { NewLine, SessionMeta } from "../record/rollout-line.ts";
import type { ThreadRecord } from "../record/thread-record.ts";
import { type Fields, fields, list, text, textOrNull } from "./codex/fields.ts";
import { CodexLines } from "./codex/translate.ts";
import type { FileVersion } from "./file-version.ts";
import {
  lastOrdinal,
  parseLines,
  parseOwnLines,
  type RawLine,
  type RolloutBytes,
  readingRollout,
} from "./rollout-bytes.ts";
import { findThreadFiles, isStoredId, parseRolloutName, siblingFiles } from "./rollout-files.ts";

/** A thread as read from its file. */
export interface ReadThread {
  readonly record: ThreadRecord;
  /** The file's state at that time. */
  readonly seen: FileVersion;
}

/** A longer chain of forks is a circle. */
const maxChain = 1000;

/**
 * Reads a rollout of ours or of Codex's, with the files it continues: Codex 0.166 stores forks and reverted threads as
 * a continuation only. Throws an Error that names the path when it is no rollout.
 */
export function readThread(home: string, path: string): ReadThread {
  return runAtOnce(readingThread(home, path));
}

/** The same, letting others in every few milliseconds: a long thread takes a tenth of a second. */
export function readThreadGently(home: string, path: string): Promise<ReadThread> {
  return runGently(readingThread(home, path));
}

/** The same in small steps. */
export function* readingThread(home: string, path: string): Generator<undefined, ReadThread> {
  const { bytes, inode } = yield* contentOf(path, home);
  const own: RawLine[] = [];
  for (const line of parseOwnLines(bytes)) {
    own.push(line);
    yield;
  }
  // Lines are numbered, or none is.
  const ordinal = own.some((line) => typeof line.ordinal === "number") ? lastOrdinal(bytes) : undefined;
  const seen = { inode, size: bytes.length, nextOrdinal: ordinal === undefined ? undefined : ordinal + 1 };
  const first = own.findIndex((line) => line.type === "session_meta");
  const payload = fields(own[first]?.payload);
  if (first === -1 || !isStoredId(text(payload.id))) throw new NoRollout(path);
  const record = newRecord(sessionMeta(payload), path);
  yield* folding(record, payload, [...(yield* baseLines(home, path, payload)), ...own]);
  return { record, seen };
}

/** Applies all lines of a thread, or those about some of its turns, and ends what is unfinished. */
export function* folding(record: ThreadRecord, meta: Fields, lines: Iterable<RawLine>): Generator<undefined, void> {
  const codex = new CodexLines(meta);
  for (const line of lines) {
    try {
      apply(record, codex, line);
    } catch {
      // A malformed line is skipped, like one that is not JSON.
    }
    yield;
  }
  for (const line of codex.finish()) applyLine(record, line, record.updatedAtMs);
  settle(record);
}

function* contentOf(path: string, home: string): Generator<undefined, RolloutBytes> {
  try {
    return yield* readingRollout(path, home);
  } catch (error) {
    throw new StoreError(`read the thread's rollout ${path}`, error);
  }
}

/** A file named like a rollout that is none. */
class NoRollout extends ServerFault {
  override readonly name = "NoRollout";

  constructor(path: string) {
    super(`${path} is no rollout: it does not begin with a session_meta line that has an id; move it away`);
  }
}

function apply(record: ThreadRecord, codex: CodexLines, line: RawLine): void {
  // Written beside a line of ours for Codex to read.
  if (line.quire === true) return;
  const atMs = Date.parse(text(line.timestamp)) || record.updatedAtMs;
  if (isOurs(line)) {
    codex.passed(line);
    applyLine(record, line as NewLine, atMs);
    return;
  }
  for (const translated of codex.translate(line, atMs)) applyLine(record, translated, atMs);
  if (line.type !== "turn_context") record.updatedAtMs = Math.max(record.updatedAtMs, atMs);
}

/** Entries of ours are marked; both programs may have written to one file in turns. */
function isOurs(line: RawLine): boolean {
  if (line.type === "thread_event") return true;
  return (line.type === "response_item" || line.type === "compacted") && line.turnId !== undefined;
}

/** The lines before a file's first, from the files it continues. */
function* baseLines(home: string, path: string, meta: Fields, depth = 0): Generator<undefined, RawLine[]> {
  const base = fields(meta.history_base);
  const end = base.end_ordinal_exclusive;
  if (typeof end !== "number" || depth > maxChain) return [];
  const previous = previousFile(home, path, text(base.thread_id));
  if (!previous) return [];
  const lines = yield* readLines(previous, home);
  const first = fields(lines.find((line) => line.type === "session_meta")?.payload);
  const all = [...(yield* baseLines(home, previous, first, depth + 1)), ...lines];
  return all.filter((line) => typeof line.ordinal === "number" && line.ordinal < end);
}

/** The thread's own file before this one; for another thread the newest older than this one. */
function previousFile(home: string, path: string, threadId: string): string | undefined {
  const name = parseRolloutName(basename(path));
  if (name && name.threadId === threadId.toLowerCase()) {
    const siblings = siblingFiles(path);
    return siblings[siblings.indexOf(path) - 1];
  }
  const files = findThreadFiles(home, threadId)?.paths ?? [];
  const limit = name?.revision || name?.threadId || "";
  return files.findLast((file) => (parseRolloutName(basename(file))?.revision ?? "") < limit);
}

function* readLines(path: string, home: string): Generator<undefined, RawLine[]> {
  try {
    const lines: RawLine[] = [];
    for (const line of parseLines((yield* readingRollout(path, home)).bytes)) {
      lines.push(line);
      yield;
    }
    return lines;
  } catch {
    return [];
  }
}

/** The first line, with defaults for fields that a strange file leaves out. */
export function sessionMeta(payload: Fields): SessionMeta {
  const { base_instructions: _, ...rest } = payload;
  return {
    ...rest,
    id: text(payload.id),
    timestamp: text(payload.timestamp),
    cwd: text(payload.cwd),
    originator: text(payload.originator),
    cli_version: text(payload.cli_version),
    source: payload.source ?? "unknown",
    model_provider: text(payload.model_provider),
    quire: fields(payload.quire).source ? (payload.quire as NonNullable<SessionMeta["quire"]>) : codexMeta(payload),
  };
}

function codexMeta(payload: Fields): SessionMeta["quire"] {
  const spawn = fields(fields(fields(payload.source).subagent).thread_spawn);
  return {
    source: sourceOf(payload.source),
    threadSource: textOrNull(payload.thread_source),
    serviceName: null,
    // Mostly Codex's own prompt; only the user's instructions are kept.
    baseInstructions: givenInstructions(fields(payload.base_instructions)),
    developerInstructions: null,
    dynamicTools: list(payload.dynamic_tools).map((tool) => ({ type: "function", ...fields(tool) })) as never[],
    config: null,
    parentThreadId: textOrNull(payload.parent_thread_id) ?? textOrNull(spawn.parent_thread_id),
    agentNickname: textOrNull(payload.agent_nickname) ?? textOrNull(spawn.agent_nickname),
    agentRole: textOrNull(payload.agent_role) ?? textOrNull(spawn.agent_role),
  };
}

function givenInstructions(base: Fields): string | null {
  const provenance = fields(base.provenance).type;
  return provenance !== undefined && provenance !== "model" ? textOrNull(base.text) : null;
}

/** Codex writes `subagent` for the wire's `subAgent`, and `mcp` for `appServer`. */
function sourceOf(source: unknown): NonNullable<SessionMeta["quire"]>["source"] {
  if (source === "mcp") return "appServer";
  if (typeof source === "string") return ["cli", "vscode", "exec"].includes(source) ? (source as "cli") : "unknown";
  const { custom, subagent } = fields(source);
  if (typeof custom === "string") return { custom };
  return subagent === undefined ? "unknown" : { subAgent: subagent as "review" };
}
