import { adapterName } from "../events/build-events.ts";
import type { Clock } from "../lib/clock.ts";
import type { Redactor } from "./redactor.ts";
import { draftEntry, type EntryDraft, type TranscriptEntry } from "./transcript-entry.ts";
import { textMember, type WireMessage } from "./wire.ts";

/** Options of a transcript. */
export interface TranscriptOptions {
  readonly promptName: string;
  readonly sessionId: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** True when entries hold the messages as they came. */
  readonly raw: boolean;
  /** Hears of each entry. What it throws is ignored. */
  readonly onEntry?: ((entry: TranscriptEntry) => void) | undefined;
}

/** Entries that are kept; further ones still reach `onEntry`, and the last entry tells how many were not kept. */
const mostKept = 10_000;
const mainSource = "main";

/** Writes down what happens in an evaluation. It never throws: a transcript must not end the work it tells of. */
export class Transcript {
  readonly #options: TranscriptOptions;
  readonly #entries: TranscriptEntry[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #counts: Record<string, number> = {};
  #notKept = 0;
  #stopped = false;

  constructor(options: TranscriptOptions) {
    this.#options = options;
    this.add({ entryType: "systemEvent", detail: { event: "transcript/start" } });
  }

  /** The entries that were kept. */
  get entries(): readonly TranscriptEntry[] {
    return this.#entries;
  }

  /** Takes a notification of the server. */
  notified(message: WireMessage, ownThread: string | undefined): void {
    const draft = draftEntry(message);
    if (!draft) return;
    const threadId = textMember(message.params, "threadId");
    const isOwn = threadId === undefined || ownThread === undefined || threadId === ownThread;
    this.add(draft, isOwn ? mainSource : `thread:${threadId}`, message);
  }

  /** Adds an entry. */
  add({ entryType, detail }: EntryDraft, source: string = mainSource, raw?: unknown): void {
    if (this.#stopped) return;
    const { promptName, sessionId, clock, redactor } = this.#options;
    const sequenceNumber = (this.#numbers.get(source) ?? 0) + 1;
    this.#numbers.set(source, sequenceNumber);
    this.#counts[entryType] = (this.#counts[entryType] ?? 0) + 1;
    const entry: TranscriptEntry = {
      promptName,
      adapter: adapterName,
      entryType,
      sequenceNumber,
      source,
      timestamp: new Date(clock.now()).toISOString(),
      sessionId,
      detail: redactor.value(detail),
      ...(raw !== undefined && this.#options.raw && { raw: redactor.value(raw) }),
    };
    if (this.#entries.length < mostKept) this.#entries.push(entry);
    else this.#notKept++;
    this.#notify(entry);
  }

  /** Ends it, also after a failure, with a record of how many entries there were. */
  stop(outcome: "completed" | "failed"): void {
    const counts = { ...this.#counts };
    this.add({
      entryType: "systemEvent",
      detail: { event: "transcript/stop", outcome, counts, notKept: this.#notKept },
    });
    this.#stopped = true;
  }

  #notify(entry: TranscriptEntry): void {
    try {
      this.#options.onEntry?.(entry);
    } catch {
      // A listener's error is its own.
    }
  }
}
