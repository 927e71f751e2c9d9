import type { GitInfo, ResponseItem, ThreadTokenUsage, Turn } from "@quire/protocol";
import type { ContextPart, ContextSection } from "./context.ts";
import type { Makers } from "./makers.ts";
import type { OfferedTools } from "./offered-tools.ts";
import type { SessionMeta } from "./rollout-line.ts";
import type { ToolCall } from "./tool-call.ts";
import type { TurnSettings } from "./turn-settings.ts";

/** The fold of a rollout's lines: kept up to date by a loaded thread, or made by reading the file. */
export interface ThreadRecord {
  readonly meta: SessionMeta;
  /** `null` for an ephemeral thread. */
  path: string | null;
  name: string | null;
  gitInfo: GitInfo | null;
  /** The beginning of the first user message. */
  preview: string;
  /** All turns with all items (`itemsView: "full"`). An unfinished turn reads as interrupted. */
  readonly turns: Turn[];
  /** The model's input, with the context that it was sent and when. */
  readonly history: HistoryEntry[];
  readonly makers: Makers;
  /** The newest text of each part of the context in the history. */
  readonly context: Map<ContextPart, string>;
  /** `null` before the first request. */
  tools: OfferedTools | null;
  usage: ThreadTokenUsage | null;
  /** Costs in US dollars, of the thread and of its latest turn; `undefined` where no price was known. */
  costs?: { readonly thread: number; readonly turnId: string; readonly turn: number } | undefined;
  /** The latest settings, if the rollout has any. */
  settings: TurnSettings | null;
  createdAtMs: number;
  updatedAtMs: number;
  readonly fold: FoldState;
}

/** An entry of the model's history with its turn; empty for one injected outside of any turn. */
export interface HistoryEntry {
  readonly item: ResponseItem;
  readonly turnId: string;
  /** The sections of context that the item consists of; `undefined` for all else. */
  readonly context?: readonly ContextSection[] | undefined;
}

/** State of folding besides the record, so that each line costs the same in a thread of any length. */
interface FoldState {
  readonly turnIndex: Map<string, number>;
  /** Indices of the newest turn's items by id. */
  items: Map<string, number>;
  /** Ids of the newest turn's unfinished items. */
  open: Set<string>;
  startedAtMs: number;
  /** Unfinished items of older turns, such as a command that outlives its turn, by turn and item. */
  readonly straggling: Map<string, number>;
  /** The model's unanswered calls, with their turns. */
  readonly calls: Map<string, { readonly kind: ToolCall["kind"]; readonly turnId: string }>;
  /** The entries that each compaction replaced: reverting restores them. */
  readonly compactions: { readonly turn: number; readonly before: readonly HistoryEntry[] }[];
}
