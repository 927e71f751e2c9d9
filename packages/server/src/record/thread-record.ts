import type { GitInfo, ResponseItem, ThreadTokenUsage, Turn } from "@quire/protocol";
import type { SessionMeta } from "./rollout-line.ts";
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
  /** The model's input without instructions and context. */
  readonly history: HistoryEntry[];
  usage: ThreadTokenUsage | null;
  /** The latest settings, if the rollout has any. */
  settings: TurnSettings | null;
  createdAtMs: number;
  updatedAtMs: number;
}

/** An entry of the model's history with its turn; empty for one injected outside of any turn. */
export interface HistoryEntry {
  readonly item: ResponseItem;
  readonly turnId: string;
}
