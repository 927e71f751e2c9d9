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
import type { TurnSettings } from "./turn-settings.ts";

/**
 * What a rollout file begins with. The names are Codex's, so that Codex finds and lists our threads; `quire` holds what
 * Codex has no place for.
 */
export interface SessionMeta {
  readonly id: string;
  /** The thread at the root of a tree of sub-agents; the thread itself where it has no parent. */
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
  /** Whether Codex may make memories of the thread; it may where nothing is said. The last line that says so counts. */
  readonly memory_mode?: ThreadMemoryMode | undefined;
  readonly quire?: QuireMeta | undefined;
}

/** What only our threads carry in their first line. */
export interface QuireMeta {
  readonly source: SessionSource;
  readonly threadSource: string | null;
  readonly serviceName: string | null;
  readonly baseInstructions: string | null;
  readonly developerInstructions: string | null;
  readonly dynamicTools: readonly DynamicToolSpec[];
  /** Config overrides the thread was started with. */
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly parentThreadId: string | null;
  readonly agentNickname: string | null;
  readonly agentRole: string | null;
  /** Kept for the client that asked for it; the history is the same in either. Default `paginated`. */
  readonly historyMode?: ThreadHistoryMode | undefined;
}

/**
 * What happened on a thread, in the words of the wire. Each is written before a client hears of it, and folding them in
 * order gives the thread as it stands.
 */
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
  /** How a thread is shown in lists in which nobody has said anything yet. */
  | { readonly kind: "preview"; readonly preview: string }
  /** This turn and all after it are gone, from what is shown and from what the model sees. */
  | { readonly kind: "reverted"; readonly beforeTurnId: string };

/**
 * The lines that we write. Codex reads the first three kinds and skips the fourth, beside which the store puts a few
 * lines of Codex's own kind, marked `quire`, so that it lists our threads and shows what was said.
 */
type RolloutLine =
  /** The first line; a further one tells Codex what has changed in it, and is marked since we have our own lines for that. */
  | {
      readonly timestamp: string;
      readonly type: "session_meta";
      readonly payload: SessionMeta;
      readonly quire?: true;
    }
  /** One entry of what the model is sent. `turnId` says which turn brought it, for reverting. */
  | {
      readonly timestamp: string;
      readonly type: "response_item";
      readonly payload: ResponseItem;
      readonly turnId?: string;
    }
  /** The model's history from here on, in place of all that came before. */
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

/** A line that tells an event. */
export const event = (payload: ThreadEvent): NewLine => ({ type: "thread_event", payload });
