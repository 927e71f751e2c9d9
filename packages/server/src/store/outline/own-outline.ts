import { fields } from "../codex/fields.ts";
import { nextMark } from "../find-mark.ts";
import { parseLine } from "../rollout-bytes.ts";
import { afterNumber, checkStrange, newline, type Span, standsAt, stretch, stringEnd, Unsure } from "./line-heads.ts";
import { TurnOutline } from "./turn-outline.ts";

const bytesOf = (text: string): Uint8Array => Buffer.from(text);

const eventHead = '"type":"thread_event","payload":{"kind":"';
/** The end of that, which is enough to tell it. */
const eventTail = bytesOf(':{"kind":"');
const codexHead = bytesOf('"type":"event_msg",');
const codexMark = bytesOf(',"quire":true}');
/** Lines that change no turn. */
const plainHeads = ["response_item", "compacted", "turn_context", "session_meta"].map((type) =>
  bytesOf(`"type":"${type}",`),
);
const started = bytesOf('turn_started"');
const reverted = bytesOf('reverted"');
const aboutTurn = ["item_completed", "item_started", "turn_completed"].map((kind) => bytesOf(`${kind}"`));
const turnIdHead = bytesOf(',"turnId":"');
/** The first letters of these kinds. */
const isAboutTurns = (letter: number | undefined): boolean => letter === 0x69 || letter === 0x72 || letter === 0x74;
/** Such an entry of the history names a turn of Codex's. */
const codexTurnMark = '"internal_chat_message_metadata_passthrough"';
/** All of a line that begins a turn, behind the turn's id. */
const restOfStart = /^","startedAtMs":\d+(?:,"rootTurnId":(?:null|"[\w.:-]*"))?\}\}$/;

/**
 * Finds the turns of a rollout that we have written alone, or of its last lines. Reads the first bytes of each line, and
 * the few others whole. Throws {@link Unsure} for all that it does not know.
 */
export function* outlineOwn(
  bytes: Buffer,
  outline: TurnOutline = new TurnOutline(),
): Generator<undefined, TurnOutline> {
  if ((yield* nextMark(bytes, codexTurnMark, 0)) !== -1) throw new Unsure("entries name their turns");
  /** The place of the newest turn's id: most lines repeat it. */
  let current: Span = { from: 0, to: 0 };
  let lines = 0;
  for (let from = 0, end = 0; from < bytes.length; from = end + 1) {
    end = bytes.indexOf(newline, from);
    if (end === -1) {
      checkStrange(bytes, from, bytes.length);
      break;
    }
    const at = afterNumber(bytes, from);
    const kind = at + eventHead.length;
    if (at !== -1 && standsAt(bytes, kind - eventTail.length, eventTail)) {
      if (isAboutTurns(bytes[kind])) current = addEvent(outline, { bytes, from, end, kind, current });
    } else if (at === -1 || !changesNothing(bytes, at, end)) checkStrange(bytes, from, end);
    if (++lines % stretch === 0) yield;
  }
  outline.end(bytes.length);
  return outline;
}

/** A line of an event, between two offsets. */
interface EventLine {
  readonly bytes: Buffer;
  readonly from: number;
  readonly end: number;
  /** The offset of its kind. */
  readonly kind: number;
  readonly current: Span;
}

/** Gives the place of the newest turn's id. */
function addEvent(outline: TurnOutline, { bytes, from, end, kind, current }: EventLine): Span {
  const about = aboutTurn.find((each) => standsAt(bytes, kind, each));
  const isStart = !about && standsAt(bytes, kind, started);
  if (!about && !isStart) {
    if (standsAt(bytes, kind, reverted)) outline.revert(revertedTo(bytes, from, end));
    return current;
  }
  const head = kind + (about ?? started).length;
  const id = head + turnIdHead.length;
  if (about && isSame(bytes, id, current)) return current;
  const idEnd = stringEnd(bytes, id, end);
  if (!standsAt(bytes, head, turnIdHead) || idEnd === -1) throw new Unsure("an event of no plain turn");
  const line = { from, to: end + 1 };
  const turnId = bytes.toString("utf8", id, idEnd);
  if (about) {
    if (turnId !== outline.last) outline.stray(turnId, line);
    return current;
  }
  // Half a line begins no turn.
  if (!restOfStart.test(bytes.toString("latin1", idEnd, end)) && !parseLine(bytes, from, end)) return current;
  outline.start(turnId, line);
  return { from: id, to: idEnd };
}

function revertedTo(bytes: Buffer, from: number, end: number): string {
  const { beforeTurnId } = fields(parseLine(bytes, from, end)?.payload);
  if (typeof beforeTurnId !== "string") throw new Unsure("a revert to no turn");
  return beforeTurnId;
}

/** True when the newest turn's id stands there. Then the line is about it, also after that turn was taken back. */
function isSame(bytes: Buffer, at: number, current: Span): boolean {
  const length = current.to - current.from;
  if (length === 0) return false;
  // With the quotation mark that ends it.
  for (let n = length; n >= 0; n--) if (bytes[at + n] !== bytes[current.from + n]) return false;
  return true;
}

function changesNothing(bytes: Buffer, at: number, end: number): boolean {
  if (standsAt(bytes, at, codexHead)) return standsAt(bytes, end - codexMark.length, codexMark);
  return plainHeads.some((head) => standsAt(bytes, at, head));
}
