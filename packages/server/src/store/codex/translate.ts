import type { ResponseItem, ThreadItem, ThreadTokenUsage, TokenUsageBreakdown, TurnError } from "@quire/protocol";
import type { NewLine, ThreadEvent } from "../../record/rollout-line.ts";
import { settledItem } from "../../record/settled-item.ts";
import type { RawLine } from "../rollout-bytes.ts";
import { Calls, searchItem } from "./calls.ts";
import { settingsOf } from "./codex-settings.ts";
import { withoutContext } from "./context-messages.ts";
import { LegacyEvents } from "./events.ts";
import { camel, camelKeys, type Fields, fields, list, numberOrNull, text, textOrNull } from "./fields.ts";
import { wireItem } from "./items.ts";

/** Translates Codex's rollouts (0.118 to 0.166) into our lines. Stateful: one for each thread, in order. */
export class CodexLines {
  readonly #meta: Fields;
  readonly #calls: Calls;
  readonly #legacy = new LegacyEvents();
  readonly #turns: string[] = [];
  /** The running turn; empty between turns. */
  #turnId = "";
  #startedAtMs = 0;
  #lastAtMs = 0;
  #error: TurnError | null = null;
  /** The file does not announce the running turn: it is one user message and what follows. */
  #implicit = false;
  /** Codex names unannounced turns by the line number. */
  #lines = -1;
  /** Before the turn's first user message everything is context. */
  #opening = true;
  /** True when items are stored as such (0.166), so that none are made from calls. */
  #hasItems = false;

  constructor(meta: Fields) {
    this.#meta = meta;
    this.#calls = new Calls(meta);
  }

  translate(line: RawLine, atMs: number): NewLine[] {
    const payload = fields(line.payload);
    if (payload.type !== "error") this.#lines++;
    switch (line.type) {
      case "response_item":
        return this.#responseItem(line.payload as ResponseItem);
      case "compacted":
        return [this.#compacted(payload)];
      case "turn_context":
        return this.#context(payload);
      case "event_msg":
        return this.#event(payload, atMs).map((event) => ({ type: "thread_event", payload: event }));
      default:
        return [];
    }
  }

  /** Notes a turn of ours, in a file to which both programs wrote. */
  passed(line: RawLine): void {
    const event = fields(line.payload);
    if (event.kind === "turn_started") this.#turns.push(text(event.turnId));
    if (event.kind === "reverted") this.#turns.splice(Math.max(0, this.#turns.indexOf(text(event.beforeTurnId))));
    if (event.kind === "turn_started" || event.kind === "reverted") {
      this.#turnId = "";
      this.#implicit = false;
    }
  }

  #responseItem(item: ResponseItem): NewLine[] {
    if (typeof item !== "object" || item === null) return [];
    const kept = withoutContext(item, this.#opening);
    if (item.type === "message" && item.role === "user" && kept) this.#opening = false;
    const lines: NewLine[] = [];
    const turnId = this.#turnOf(item);
    if (kept) lines.push({ type: "response_item", payload: bare(kept), ...(turnId && { turnId }) });
    if (turnId !== "") lines.push(...this.#callItems(item, turnId));
    return lines;
  }

  finish(): NewLine[] {
    const end = this.#implicit ? this.#endImplicit(this.#lastAtMs) : this.#lostItems(this.#turnId);
    return end.map((event) => ({ type: "thread_event", payload: event }));
  }

  #callItems(item: ResponseItem, turnId: string): NewLine[] {
    const event = (kind: "item_started" | "item_completed", made: ThreadItem | undefined): NewLine[] =>
      made ? [{ type: "thread_event", payload: { kind, turnId, item: made } }] : [];
    const [started, completed] = [this.#calls.started(item), this.#calls.completed(item)];
    if (this.#hasItems) return [];
    const search = item.type === "web_search_call" ? searchItem(item, this.#legacy.nextId()) : undefined;
    return [
      ...event("item_started", started),
      ...event("item_completed", completed),
      ...event("item_completed", search),
    ];
  }

  /** Unfinished items of an aborted turn are known from their calls alone. */
  #lostItems(turnId: string): ThreadEvent[] {
    const lost = this.#calls.takeOpen();
    if (!this.#hasItems || turnId === "") return [];
    return lost.map((item) => ({ kind: "item_completed", turnId, item: settledItem(item) ?? item }));
  }

  #compacted(payload: Fields): NewLine {
    const kept = list(payload.replacement_history).flatMap((value) => {
      const item = withoutContext(value as ResponseItem, true);
      return item ? [bare(item)] : [];
    });
    const message = text(payload.message);
    const summary: ResponseItem = { type: "message", role: "user", content: [{ type: "input_text", text: message }] };
    const replacement = Array.isArray(payload.replacement_history) ? kept : [summary];
    // After a compaction Codex may put its context before the next message once more.
    this.#opening = true;
    return {
      type: "compacted",
      payload: { message, replacement_history: replacement },
      ...(this.#turnId && { turnId: this.#turnId }),
    };
  }

  #context(payload: Fields): NewLine[] {
    this.#calls.cwd = text(payload.cwd, this.#calls.cwd);
    const settings = settingsOf(payload, text(this.#meta.model_provider));
    return [{ type: "thread_event", payload: { kind: "settings", settings } }];
  }

  #event(event: Fields, atMs: number): ThreadEvent[] {
    const turnId = text(event.turn_id, this.#turnId);
    switch (event.type) {
      case "task_started":
      case "turn_started":
        return [...this.#endImplicit(this.#lastAtMs), this.#started(event, atMs)];
      case "task_complete":
      case "turn_complete":
        return this.#ended(event, "completed", atMs);
      case "turn_aborted":
        return this.#ended(event, "interrupted", atMs);
      case "error":
        this.#error = turnError(event);
        return [];
      case "thread_rolled_back":
        return this.#rolledBack(numberOrNull(event.num_turns) ?? 0);
      case "token_count":
        return tokenUsage(turnId, event.info);
      case "thread_name_updated":
        return [{ kind: "name", name: textOrNull(event.thread_name) }];
      case "item_started":
      case "item_completed": {
        const item = wireItem(event);
        this.#hasItems = true;
        this.#calls.forget(text(fields(event.item).id));
        return item ? [{ kind: event.type, turnId, item }] : [];
      }
      default:
        return this.#hasItems ? [] : this.#legacyEvent(event, atMs);
    }
  }

  /** Up to about 0.98 files do not announce turns: each user message begins one. */
  #legacyEvent(event: Fields, atMs: number): ThreadEvent[] {
    const begins = this.#turnId === "" || (this.#implicit && event.type === "user_message");
    if (!begins) {
      this.#lastAtMs = atMs;
      return this.#legacy.translate(event, this.#turnId);
    }
    const turnId = `rollout-${this.#lines}`;
    const items = this.#legacy.translate(event, turnId);
    if (items.length === 0) return [];
    const ended = this.#endImplicit(this.#lastAtMs);
    const started = this.#started({ turn_id: turnId }, atMs);
    this.#opening = event.type !== "user_message";
    this.#implicit = true;
    this.#lastAtMs = atMs;
    return [...ended, started, ...items];
  }

  #endImplicit(atMs: number): ThreadEvent[] {
    return this.#implicit ? this.#ended({}, "completed", atMs) : [];
  }

  #started(event: Fields, atMs: number): ThreadEvent {
    this.#turnId = text(event.turn_id, `turn-${this.#turns.length + 1}`);
    this.#turns.push(this.#turnId);
    this.#opening = true;
    this.#error = null;
    this.#startedAtMs = atMs;
    return {
      kind: "turn_started",
      turnId: this.#turnId,
      startedAtMs: atMs,
      rootTurnId: textOrNull(event.root_turn_id),
    };
  }

  #ended(event: Fields, status: "completed" | "interrupted", atMs: number): ThreadEvent[] {
    const turnId = text(event.turn_id, this.#turnId);
    const error = event.error ? turnError(fields(event.error)) : this.#error;
    const durationMs = numberOrNull(event.duration_ms) ?? Math.max(0, atMs - this.#startedAtMs);
    this.#turnId = "";
    this.#implicit = false;
    this.#error = null;
    const lost = this.#lostItems(turnId);
    const outcome = error && status === "completed" ? ("failed" as const) : status;
    return [...lost, { kind: "turn_completed", turnId, status: outcome, error, completedAtMs: atMs, durationMs }];
  }

  #rolledBack(count: number): ThreadEvent[] {
    const gone = count > 0 ? this.#turns.splice(-count) : [];
    this.#turnId = "";
    this.#implicit = false;
    return gone[0] === undefined ? [] : [{ kind: "reverted", beforeTurnId: gone[0] }];
  }

  /** The turn of an entry; empty between turns. */
  #turnOf(item: ResponseItem): string {
    const said =
      "internal_chat_message_metadata_passthrough" in item ? item.internal_chat_message_metadata_passthrough : null;
    const turnId = said?.turn_id;
    // Mostly the running one, and there may be thousands.
    return turnId && turnId !== this.#turnId && this.#turns.includes(turnId) ? turnId : this.#turnId;
  }
}

/** An entry without Codex's own fields, which no endpoint needs. */
function bare(item: ResponseItem): ResponseItem {
  if (!("internal_chat_message_metadata_passthrough" in item)) return item;
  const { internal_chat_message_metadata_passthrough: _, ...rest } = item;
  return rest as ResponseItem;
}

function turnError(event: Fields): TurnError {
  const info = event.codex_error_info;
  const codexErrorInfo = (typeof info === "string" ? camel(info) : info ? camelKeys(info) : null) as "other" | null;
  return { message: text(event.message), codexErrorInfo, additionalDetails: textOrNull(event.additional_details) };
}

function tokenUsage(turnId: string, value: unknown): ThreadEvent[] {
  const info = fields(value);
  if (!info.total_token_usage) return [];
  const [total, last] = [camelKeys(info.total_token_usage), camelKeys(info.last_token_usage)] as TokenUsageBreakdown[];
  const usage = { total, last, modelContextWindow: numberOrNull(info.model_context_window) } as ThreadTokenUsage;
  return [{ kind: "token_usage", turnId, usage }];
}
