import { fields } from "../codex/fields.ts";
import { parseLine } from "../rollout-bytes.ts";
import { afterNumber, checkStrange, newline, type Span, standsAt, stretch, stringEnd, Unsure } from "./line-heads.ts";
import { TurnOutline } from "./turn-outline.ts";

const eventHead = Buffer.from('"type":"event_msg","payload":{"type":"');
const entryHead = Buffer.from('"type":"response_item","payload":{"type":"');
const contextHead = Buffer.from('"type":"turn_context",');
const typeHead = Buffer.from('"type":"');
const threadIdHead = Buffer.from(',"thread_id":"');
const turnIdHead = Buffer.from(',"turn_id":"');
/** Lines of Codex's that change no turn. */
const plainTypes = new Set(["session_meta", "compacted", "world_state", "token_usage_record"]);
/** Events that change no turn. Versions without items make those of the others. */
const plainEvents = new Set(["token_count", "thread_settings_applied", "thread_name_updated", "error"]);
/** Entries that are no calls, which a turn may leave open. */
const plainEntries = new Set(["message", "reasoning"]);

/**
 * Finds the turns of a rollout that Codex has written alone, with items. Throws {@link Unsure} for all that it does not
 * know.
 */
export function* outlineCodex(bytes: Buffer): Generator<undefined, TurnOutline> {
  const walk = new CodexWalk(bytes);
  let lines = 0;
  for (let from = 0, end = 0; from < bytes.length; from = end + 1) {
    end = bytes.indexOf(newline, from);
    if (end === -1) {
      checkStrange(bytes, from, bytes.length);
      break;
    }
    walk.pass(from, end);
    if (++lines % stretch === 0) yield;
  }
  walk.outline.end(bytes.length);
  if (!walk.hasItems || walk.outline.count < 2) throw new Unsure("no items, or few");
  return walk.outline;
}

class CodexWalk {
  readonly outline = new TurnOutline();
  hasItems = false;
  readonly #bytes: Buffer;
  /** True from a turn's start to its end. */
  #running = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Goes past the line between two offsets. */
  pass(from: number, end: number): void {
    const bytes = this.#bytes;
    const at = afterNumber(bytes, from);
    if (at === -1 || !standsAt(bytes, at, typeHead)) checkStrange(bytes, from, end);
    else if (standsAt(bytes, at, eventHead)) this.#event(at + eventHead.length, { from, to: end + 1 });
    else if (standsAt(bytes, at, entryHead)) this.#entry(this.#word(at + entryHead.length, end));
    else if (standsAt(bytes, at, contextHead)) this.outline.setting({ from, to: end + 1 });
    else if (!plainTypes.has(this.#word(at + typeHead.length, end))) checkStrange(bytes, from, end);
  }

  #event(at: number, line: Span): void {
    const end = line.to - 1;
    const kind = this.#word(at, end);
    switch (kind) {
      case "item_started":
      case "item_completed":
        this.hasItems = true;
        this.#item(at + kind.length + 1, line);
        break;
      case "task_started":
      case "turn_started":
        this.#start(line);
        break;
      case "task_complete":
      case "turn_complete":
      case "turn_aborted":
        // The end of another turn than the running one ends that, too.
        if (this.#turnOf(line) !== this.outline.last) throw new Unsure("an older turn ends");
        this.#running = false;
        break;
      default:
        if (kind === "thread_rolled_back" || !(this.hasItems || plainEvents.has(kind))) throw new Unsure(kind);
    }
  }

  #start(line: Span): void {
    const id = this.#turnOf(line);
    // From the second turn on each can be read after the first alone: there items have come, and no call is open.
    if (this.outline.count === 1) {
      if (!this.hasItems || this.#running) throw new Unsure("the first turn tells too little");
      this.outline.headEnd = line.from;
    }
    this.outline.start(id, line, !this.#running);
    this.#running = true;
  }

  #item(at: number, line: Span): void {
    const end = line.to - 1;
    const threadId = at + threadIdHead.length;
    const head = standsAt(this.#bytes, at, threadIdHead) ? stringEnd(this.#bytes, threadId, end) + 1 : 0;
    if (head === 0 || !standsAt(this.#bytes, head, turnIdHead)) throw new Unsure("an item of no turn");
    const id = this.#word(head + turnIdHead.length, end);
    if (id !== this.outline.last) this.outline.stray(id, line);
  }

  #entry(type: string): void {
    if (!this.#running && !plainEntries.has(type)) throw new Unsure("a call between turns");
  }

  #turnOf({ from, to }: Span): string {
    const payload = fields(parseLine(this.#bytes, from, to - 1)?.payload);
    if (typeof payload.turn_id !== "string" || payload.turn_id === "") throw new Unsure("a turn without an id");
    return payload.turn_id;
  }

  /** The text up to the next quotation mark. */
  #word(from: number, end: number): string {
    const to = stringEnd(this.#bytes, from, end);
    if (to === -1) throw new Unsure("half a line");
    return this.#bytes.toString("utf8", from, to);
  }
}
