import type { OutputItem } from "./event-stream.ts";
import type { Call, ReasoningOptions, TextOptions } from "./parts.ts";
import type { Chunks } from "./split-text.ts";

/** A part of a scripted reply; each wire streams it in its own words. */
export type Step =
  | { readonly type: "text"; readonly text: string | Chunks; readonly options: TextOptions }
  | { readonly type: "reasoning"; readonly summary: readonly string[]; readonly options: ReasoningOptions }
  | { readonly type: "call"; readonly call: Call }
  | { readonly type: "webSearch"; readonly query: string }
  | { readonly type: "item"; readonly item: OutputItem }
  | { readonly type: "event"; readonly event: string; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly type: "raw"; readonly text: string }
  | { readonly type: "wait"; readonly wait: number | PromiseLike<unknown> };

/** The end of a scripted reply. */
export type Ending =
  | { readonly type: "completed" }
  | { readonly type: "failed"; readonly code: string; readonly message: string }
  | { readonly type: "incomplete"; readonly reason: string }
  | { readonly type: "cut" }
  | { readonly type: "truncate" };

/** The tokens that a reply reports. */
export interface ReplyUsage {
  readonly input?: number;
  /** Part of `input`. */
  readonly cachedInput?: number;
  readonly output?: number;
  /** Part of `output`. */
  readonly reasoning?: number;
}

/** A scripted reply as data. */
export interface ReplyScript {
  readonly steps: readonly Step[];
  readonly ending: Ending;
  readonly usage: ReplyUsage;
}
