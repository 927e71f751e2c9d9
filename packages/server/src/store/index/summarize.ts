import { statSync } from "node:fs";
import { applyLine, newRecord, remarks } from "../../record/fold.ts";
import type { NewLine } from "../../record/rollout-line.ts";
import { type Fields, fields, text } from "../codex/fields.ts";
import { CodexLines } from "../codex/translate.ts";
import { lastMark, nextMark } from "../find-mark.ts";
import { readingThread, sessionMeta } from "../read-thread.ts";
import { parseLine, type RawLine, readingRollout } from "../rollout-bytes.ts";
import { isArchived, isStoredId } from "../rollout-files.ts";
import { isListed, summaryOf } from "../summary-of.ts";
import type { ThreadSummary } from "../thread-store.ts";
import { type FileState, rowValues } from "./rows.ts";

/** A thread's row, made from its file. */
export interface Summarized {
  readonly summary: ThreadSummary;
  readonly file: FileState;
}

const newline = 0x0a;
/** Marks of user messages, found without parsing the lines before. */
const userMarks = ['"userMessage"', '"user_message"', '"UserMessage"'];
/** Lines that change earlier ones: then the whole thread has to be read. */
const rewritingMarks = ['"kind":"reverted"', '"thread_rolled_back"'];

/** Reads a rollout's index entry from the few lines that matter: lists over thousands of files depend on it. */
export function* summarizing(home: string, path: string): Generator<undefined, Summarized | undefined> {
  try {
    const before = statSync(path);
    const { bytes } = yield* readingRollout(path, home);
    const file = { size: before.size, mtime: before.mtimeMs };
    const first = parseLine(bytes, 0, endOfLine(bytes, 0));
    const meta = fields(first?.payload);
    if (first?.type !== "session_meta" || !isStoredId(text(meta.id))) return undefined;
    if (meta.history_base || meta.forked_from_id || (yield* isRewritten(bytes))) {
      const { record } = yield* readingThread(home, path);
      return storable(summaryOf(record, path, isArchived(home, path)), { ...file, listed: isListed(record) });
    }
    const said = yield* firstUserLine(bytes);
    const record = newRecord(sessionMeta(meta), path);
    const codex = new CodexLines(meta);
    const preview = (yield* lastLine(bytes, '"kind":"preview"', isPreview))?.line;
    for (const line of [preview, said, ...(yield* lastLines(bytes))]) if (line) tryToApply(record, codex, line);
    // The turns that lines were applied in are made up; without any word of a user there was none.
    if (!said) record.turns.length = 0;
    record.updatedAtMs = Math.max(record.createdAtMs, lastUse(bytes));
    const listed = (said ?? preview) !== undefined;
    return storable(summaryOf(record, path, isArchived(home, path)), { ...file, listed });
  } catch {
    return undefined;
  }
}

/** A malformed file must not keep the others out of the index. */
function storable(summary: ThreadSummary, file: FileState): Summarized | undefined {
  const sound = rowValues(summary, file).every(
    (value) => value === null || ["string", "number"].includes(typeof value),
  );
  return sound ? { summary, file } : undefined;
}

const isPreview = (line: RawLine): boolean => line.type === "thread_event" && fields(line.payload).kind === "preview";

function tryToApply(record: ReturnType<typeof newRecord>, codex: CodexLines, line: RawLine): void {
  try {
    applyTo(record, codex, line);
  } catch {
    // As when the whole thread is read, the other lines are enough.
  }
}

/** Applies one line out of context, in a made-up turn. */
function applyTo(record: ReturnType<typeof newRecord>, codex: CodexLines, line: RawLine): void {
  const payload = fields(line.payload);
  const turnId = text(payload.turnId, text(payload.turn_id, "turn"));
  applyLine(
    record,
    { type: "thread_event", payload: { kind: "turn_started", turnId, startedAtMs: 0, rootTurnId: null } },
    0,
  );
  codex.translate({ type: "event_msg", payload: { type: "task_started", turn_id: turnId } }, 0);
  const ours = line.type === "thread_event" ? [line as NewLine] : codex.translate(line, 0);
  for (const each of ours) applyLine(record, each, 0);
}

function* isRewritten(bytes: Buffer): Generator<undefined, boolean> {
  for (const mark of rewritingMarks) if ((yield* nextMark(bytes, mark, 0)) !== -1) return true;
  return false;
}

function* firstUserLine(bytes: Buffer): Generator<undefined, RawLine | undefined> {
  let found: { at: number; line: RawLine } | undefined;
  for (const mark of userMarks) {
    for (let at = yield* nextMark(bytes, mark, 0); at !== -1; at = yield* nextMark(bytes, mark, at + 1)) {
      if (found && at > found.at) break;
      const line = lineAround(bytes, at);
      if (!line || !isUserLine(line)) continue;
      found = { at, line };
      break;
    }
  }
  return found?.line;
}

function isUserLine(line: RawLine): boolean {
  const payload = fields(line.payload);
  const item: Fields = fields(payload.item);
  if (line.type === "thread_event") return item.type === "userMessage";
  if (line.type !== "event_msg") return false;
  return payload.type === "user_message" || (payload.type === "item_completed" && item.type === "UserMessage");
}

/** The last line of each kind of which only the last counts, in their order. */
function* lastLines(bytes: Buffer): Generator<undefined, RawLine[]> {
  const kinds: [string, (line: RawLine) => boolean][] = [
    ['"kind":"settings"', (line) => line.type === "thread_event" && fields(line.payload).kind === "settings"],
    ['"type":"turn_context"', (line) => line.type === "turn_context"],
    ['"kind":"git_info"', (line) => line.type === "thread_event" && fields(line.payload).kind === "git_info"],
    ['"kind":"name"', (line) => line.type === "thread_event" && fields(line.payload).kind === "name"],
    ['"thread_name_updated"', (line) => fields(line.payload).type === "thread_name_updated"],
  ];
  const found: FoundLine[] = [];
  for (const [mark, matches] of kinds) {
    const last = yield* lastLine(bytes, mark, matches);
    if (last) found.push(last);
  }
  return found.sort((a, b) => a.at - b.at).map(({ line }) => line);
}

interface FoundLine {
  readonly at: number;
  readonly line: RawLine;
}

function* lastLine(
  bytes: Buffer,
  mark: string,
  matches: (line: RawLine) => boolean,
): Generator<undefined, FoundLine | undefined> {
  for (let at = bytes.length; at !== -1; ) {
    at = yield* lastMark(bytes, mark, at);
    const line = at === -1 ? undefined : lineAround(bytes, at);
    if (line && matches(line)) return { at, line };
  }
  return undefined;
}

/** The last use of a thread: the time of the last complete line that is more than a remark. */
function lastUse(bytes: Buffer): number {
  for (let end = bytes.length; end > 0; ) {
    const stop = bytes[end - 1] === newline ? end - 1 : end;
    const start = stop === 0 ? 0 : bytes.lastIndexOf(newline, stop - 1) + 1;
    const head = bytes.toString("latin1", start, Math.min(stop, start + 200));
    const ms = Date.parse(/"timestamp":"([^"]+)"/.exec(head)?.[1] ?? "");
    const kind = /"kind":"([a-z_]+)"/.exec(head)?.[1] ?? "";
    const remark = head.includes('"thread_event"') ? remarks.has(kind) : /"turn_context"|"session_meta"/.test(head);
    const whole = stop < end || parseLine(bytes, start, stop) !== undefined;
    if (!Number.isNaN(ms) && !remark && whole) return ms;
    end = start;
  }
  return 0;
}

function lineAround(bytes: Buffer, at: number): RawLine | undefined {
  const start = at === 0 ? 0 : bytes.lastIndexOf(newline, at) + 1;
  return parseLine(bytes, start, endOfLine(bytes, at));
}

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(newline, from);
  return end === -1 ? bytes.length : end;
}
