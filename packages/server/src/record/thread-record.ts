import type { GitInfo, ResponseItem, ThreadTokenUsage, Turn } from "@quire/protocol";
import type { SessionMeta } from "./rollout-line.ts";
import type { TurnSettings } from "./turn-settings.ts";

/**
 * A thread as its rollout tells it: the fold of all lines. A loaded thread keeps one and applies to it what it writes;
 * reading a stored thread makes one from the file.
 */
export interface ThreadRecord {
  readonly meta: SessionMeta;
  /** The file; `null` for an ephemeral thread. */
  path: string | null;
  name: string | null;
  gitInfo: GitInfo | null;
  /** First words of the first user message. */
  preview: string;
  /** All turns with all items (`itemsView: "full"`). A turn that no line ended reads as interrupted. */
  readonly turns: Turn[];
  /** What the model is sent, without instructions and context. */
  readonly history: HistoryEntry[];
  usage: ThreadTokenUsage | null;
  /** The latest settings, where the rollout holds any. */
  settings: TurnSettings | null;
  createdAtMs: number;
  updatedAtMs: number;
}

/** One entry of the model's history and the turn that brought it; empty for what was injected outside of any turn. */
export interface HistoryEntry {
  readonly item: ResponseItem;
  readonly turnId: string;
}
