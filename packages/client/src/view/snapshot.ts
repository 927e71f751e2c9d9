import type {
  ApprovalsReviewer,
  AskForApproval,
  HookRunSummary,
  ModeKind,
  QueuedSubmission,
  ReasoningEffort,
  SandboxPolicy,
  ThreadItem,
  ThreadTokenUsage,
  TokenUsageBreakdown,
  Turn,
} from "@quire/protocol";

/** An item with all deltas so far folded in. */
export interface ItemState {
  readonly item: ThreadItem;
  readonly turnId: string;
  readonly done: boolean;
  readonly startedAtMs: number | null;
  readonly completedAtMs: number | null;
  /** Last progress message of a tool call. */
  readonly progress: string | null;
  /** True when the beginning of a running command's output was dropped to bound memory. */
  readonly clipped: boolean;
}

/** The latest plan of a turn. */
export interface TurnPlan {
  readonly explanation: string | null;
  readonly steps: readonly { readonly step: string; readonly status: string }[];
}

/** A turn with the order of its items. */
export interface TurnState {
  readonly id: string;
  readonly status: Turn["status"];
  readonly error: Turn["error"];
  /** Seconds since 1970. */
  readonly startedAt: number | null;
  /** Seconds since 1970. */
  readonly completedAt: number | null;
  readonly durationMs: number | null;
  readonly diff: string | null;
  readonly plan: TurnPlan | null;
  /** The latest report: of the last model response, and of the whole thread. */
  readonly usage: ThreadTokenUsage | null;
  /** Tokens of this turn alone, all its model responses together. */
  readonly spent: TokenUsageBreakdown | null;
  /** Keys into {@link ThreadSnapshot.items}, in order. */
  readonly itemIds: readonly string[];
  /** Warnings and retries of this turn, in order. */
  readonly notices: readonly Notice[];
  /** Hook runs of this turn, in the order in which they began. */
  readonly hooks: readonly HookRun[];
}

/** A run of one of the user's hooks. */
export interface HookRun {
  readonly run: HookRunSummary;
  /** Id of the item before it, null at the start of a turn; undefined for a run that was replayed later. */
  readonly afterItem: string | null | undefined;
}

/** A message of the server that is no item: a warning, a retry, a rerouted model. */
export interface Notice {
  readonly id: string;
  readonly level: "info" | "warning" | "error";
  readonly text: string;
  readonly details: string | null;
  /** Id of the item before it; null at the start of a turn. */
  readonly afterItem: string | null;
}

/** Settings of a thread; null where the server has not reported them yet. */
export interface ThreadSettingsState {
  readonly model: string | null;
  readonly modelProvider: string | null;
  readonly effort: ReasoningEffort | null;
  readonly sandbox: SandboxPolicy | null;
  readonly approvalPolicy: AskForApproval | null;
  /** Null for servers that have no reviewer of their own. */
  readonly approvalsReviewer: ApprovalsReviewer | null;
  /** The collaboration mode, such as planning first. */
  readonly mode: ModeKind | null;
  readonly cwd: string;
}

/** The content of a thread at one moment. Parts that did not change are the same objects as in the snapshot before. */
export interface ThreadSnapshot {
  /** Oldest first; those before `olderCursor` are not loaded. */
  readonly turns: readonly TurnState[];
  /** By the keys in `itemIds`. A new object whenever an item changed, over one shared table. */
  readonly items: ReadonlyMap<string, ItemState>;
  readonly usage: ThreadTokenUsage | null;
  /** Set when there are older turns to load. */
  readonly olderCursor: string | null;
  readonly settings: ThreadSettingsState;
  /** Notices that belong to no turn. */
  readonly notices: readonly Notice[];
  /** Id of the turn in progress. */
  readonly activeTurn: string | null;
}

/** The content of a thread on a server, and how far it is loaded. */
export interface LiveThreadSnapshot extends ThreadSnapshot {
  /** True until the first content is there. */
  readonly loading: boolean;
  readonly loadingOlder: boolean;
  /** The reason why the thread could not be opened, with the remedy. */
  readonly error: string | null;
  /** Messages that wait at the server for their turn; null where the server keeps no queue. */
  readonly queue: readonly QueuedSubmission[] | null;
}

/** A page of stored turns, oldest first. */
export interface HistoryPage {
  readonly turns: readonly Turn[];
  /** Cursor of the turns before these; null when there are none. */
  readonly olderCursor: string | null;
}
