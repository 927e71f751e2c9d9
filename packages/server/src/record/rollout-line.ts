import type {
  DynamicToolSpec,
  GitInfo,
  ResponseItem,
  SessionSource,
  ThreadHistoryMode,
  ThreadItem,
  ThreadMemoryMode,
  ThreadTokenUsage,
  TurnError,
  TurnStatus,
} from "@quire/protocol";
import type { ContextSection } from "./context.ts";
import type { OfferedTools } from "./offered-tools.ts";
import type { TurnSettings } from "./turn-settings.ts";

/** The first line of a rollout. Field names are Codex's, so that Codex lists our threads; `quire` holds the rest. */
export interface SessionMeta {
  readonly id: string;
  /** The root of a tree of sub-agents; the thread itself when it has no parent. */
  readonly session_id?: string | undefined;
  readonly timestamp: string;
  readonly cwd: string;
  readonly originator: string;
  readonly cli_version: string;
  readonly source: unknown;
  readonly model_provider: string;
  readonly git?:
    | { readonly commit_hash?: string; readonly branch?: string; readonly repository_url?: string }
    | undefined;
  readonly forked_from_id?: string | undefined;
  /** Tells Codex that lines are numbered and items stand in them. */
  readonly history_mode?: ThreadHistoryMode | undefined;
  /** Tells Codex not to make memories of the thread. The last such line counts. */
  readonly memory_mode?: ThreadMemoryMode | undefined;
  readonly quire?: QuireMeta | undefined;
}

/** Fields that only our threads have in their first line. */
export interface QuireMeta {
  readonly source: SessionSource;
  readonly threadSource: string | null;
  readonly serviceName: string | null;
  readonly baseInstructions: string | null;
  readonly developerInstructions: string | null;
  readonly dynamicTools: readonly DynamicToolSpec[];
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly parentThreadId: string | null;
  readonly agentNickname: string | null;
  readonly agentRole: string | null;
  /** Kept for the client that asked for it; the history is the same in both. Default `paginated`. */
  readonly historyMode?: ThreadHistoryMode | undefined;
}

/** An event on a thread, in the words of the wire. Written before clients hear of it; the fold of all is the state. */
export type ThreadEvent =
  | {
      readonly kind: "turn_started";
      readonly turnId: string;
      readonly startedAtMs: number;
      readonly rootTurnId: string | null;
    }
  | { readonly kind: "item_started"; readonly turnId: string; readonly item: ThreadItem }
  | { readonly kind: "item_completed"; readonly turnId: string; readonly item: ThreadItem }
  | {
      readonly kind: "turn_completed";
      readonly turnId: string;
      readonly status: Exclude<TurnStatus, "inProgress">;
      readonly error: TurnError | null;
      readonly completedAtMs: number;
      readonly durationMs: number;
    }
  | { readonly kind: "token_usage"; readonly turnId: string; readonly usage: ThreadTokenUsage }
  | { readonly kind: "settings"; readonly settings: TurnSettings }
  | { readonly kind: "name"; readonly name: string | null }
  | { readonly kind: "git_info"; readonly gitInfo: GitInfo | null }
  /** Context that the model is sent from here on. The first comes before all history; later ones where they came. */
  | { readonly kind: "context"; readonly turnId: string; readonly sections: readonly ContextSection[] }
  /** The cost of a request in US dollars, where prices are known. */
  | { readonly kind: "cost"; readonly turnId: string; readonly usd: number }
  | { readonly kind: "tools"; readonly tools: OfferedTools }
  /** The preview of a thread without messages. */
  | { readonly kind: "preview"; readonly preview: string }
  /** This turn and all later ones are removed, for clients and for the model. */
  | { readonly kind: "reverted"; readonly beforeTurnId: string };

/**
 * The lines of a rollout. Codex reads the first three kinds and skips the fourth, next to which the store writes a few
 * lines of Codex's own, marked `quire`, so that Codex lists our threads and shows their turns.
 */
type RolloutLine =
  /** The first line. Further ones tell Codex about changes and are marked, since we have our own lines for those. */
  | {
      readonly timestamp: string;
      readonly type: "session_meta";
      readonly payload: SessionMeta;
      readonly quire?: true;
    }
  /** An entry of the model's history. `turnId` is for reverting. */
  | {
      readonly timestamp: string;
      readonly type: "response_item";
      readonly payload: ResponseItem;
      readonly turnId?: string;
      /** The provider that has made it, if that is not the one of the first line. */
      readonly provider?: string;
    }
  /** Replaces the model's history so far. */
  | {
      readonly timestamp: string;
      readonly type: "compacted";
      readonly payload: { readonly message: string; readonly replacement_history: readonly ResponseItem[] };
      readonly turnId?: string;
    }
  | { readonly timestamp: string; readonly type: "thread_event"; readonly payload: ThreadEvent };

/** A line without its time, as the thread hands it to the store. */
export type NewLine = RolloutLine extends infer Line
  ? Line extends { timestamp: string }
    ? Omit<Line, "timestamp">
    : never
  : never;

/** A line with an event. */
export const event = (payload: ThreadEvent): NewLine => ({ type: "thread_event", payload });
