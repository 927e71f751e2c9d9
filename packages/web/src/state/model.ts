import type {
  Account,
  AskForApproval,
  CollaborationModeMask,
  HookRunSummary,
  ModeKind,
  Model,
  QueuedSubmission,
  RateLimitSnapshot,
  ReasoningEffort,
  SandboxPolicy,
  SkillMetadata,
  ThreadItem,
  ThreadTokenUsage,
  TokenUsageBreakdown,
  Turn,
} from "@quire/protocol";
import type { HubInfo } from "@quire/protocol/gateway";

/** Names one thread of one hub. */
export interface ThreadKey {
  readonly hub: string;
  readonly thread: string;
}

/** What a thread is doing, in the page's own words. */
export type ThreadStatus = "idle" | "working" | "waiting" | "failed" | "disconnected" | "notLoaded";

/** What lists show of a thread. */
export interface ThreadSummary {
  readonly key: ThreadKey;
  readonly name: string | null;
  /** The first message of the thread; empty before there is one. */
  readonly preview: string;
  readonly cwd: string;
  readonly status: ThreadStatus;
  /** Something ended or was asked since the user last looked. */
  readonly unread: boolean;
  readonly archived: boolean;
  /** Thread that started this one as its sub-agent. */
  readonly parent: string | null;
  readonly agentNickname: string | null;
  readonly agentRole: string | null;
  readonly model: string | null;
  /** Seconds since 1970. */
  readonly updatedAt: number;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** Branch of the folder when the thread began, where the server tells it. */
  readonly branch: string | null;
}

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

/** One step of a plan. */
interface PlanStep {
  readonly step: string;
  readonly status: string;
}

/** The plan of a turn, as last told. */
export interface TurnPlan {
  readonly explanation: string | null;
  readonly steps: readonly PlanStep[];
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
  /** As last told: of the last model response, and of the whole thread. */
  readonly usage: ThreadTokenUsage | null;
  /** Tokens of this turn alone, all its model responses together. */
  readonly spent: TokenUsageBreakdown | null;
  readonly itemIds: readonly string[];
  /** Warnings and retries of this turn, in order. */
  readonly notices: readonly Notice[];
  /** What hooks did in this turn, in the order in which they began. */
  readonly hooks: readonly HookRun[];
}

/** A run of one of the user's hooks. */
export interface HookRun {
  readonly run: HookRunSummary;
  /** Id of the item before it, null at the start of a turn; undefined where it was not heard as it happened. */
  readonly afterItem: string | null | undefined;
}

/** Something the server said that is no item: a warning, a retry, a rerouted model. */
export interface Notice {
  readonly id: string;
  readonly level: "info" | "warning" | "error";
  readonly text: string;
  readonly details: string | null;
  /** Id of the item before it, so that it can be shown in its place; null at the start of a turn. */
  readonly afterItem: string | null;
}

/** What a thread works with. Null where the server has not said so yet. */
export interface ThreadSettingsState {
  readonly model: string | null;
  readonly modelProvider: string | null;
  readonly effort: ReasoningEffort | null;
  readonly sandbox: SandboxPolicy | null;
  readonly approvalPolicy: AskForApproval | null;
  /** How the agent goes about it: at once, or by a plan first. */
  readonly mode: ModeKind | null;
  readonly cwd: string;
}

/** A thread that is open in this page. */
export interface ThreadState {
  readonly summary: ThreadSummary;
  /** Oldest first; those before `olderCursor` are not loaded. */
  readonly turns: readonly TurnState[];
  /** By item id. A new object whenever an item changed, over one shared table. */
  readonly items: ReadonlyMap<string, ItemState>;
  readonly pending: readonly PendingRequest[];
  /** What waits at the server until the thread has time for it; null where the server keeps no queue. */
  readonly queue: readonly QueuedSubmission[] | null;
  readonly usage: ThreadTokenUsage | null;
  /** Set when there are older turns to load. */
  readonly olderCursor: string | null;
  readonly loadingOlder: boolean;
  /** True until the first content is there. */
  readonly loading: boolean;
  /** Why it could not be opened, with the remedy. */
  readonly error: string | null;
  readonly settings: ThreadSettingsState;
  /** Notices that belong to no turn. */
  readonly notices: readonly Notice[];
  /** The turn in progress. */
  readonly activeTurn: string | null;
  /** Grows with every change. */
  readonly version: number;
}

/** A question of the server that waits for somebody. */
export interface PendingRequest {
  /** Made by the gateway; the same in every page. */
  readonly id: string;
  readonly hub: string;
  readonly threadId: string;
  readonly turnId: string | null;
  readonly itemId: string | null;
  /** Id of the item before it, for a question that is about none; null or left out where that is not known. */
  readonly afterItem?: string | null | undefined;
  readonly method: string;
  readonly params: unknown;
  /** What became of it; it stays for as long as the thread is open so that the answer can be read. */
  readonly answered: { readonly label: string; readonly byMe: boolean } | null;
}

/** Something that is fetched: not yet, being fetched, there, or failed with a reason. */
export interface Loadable<T> {
  readonly value: T | null;
  readonly loading: boolean;
  readonly error: string | null;
}

/** What is known of a hub beyond its link. */
export interface HubView extends HubInfo {
  /** Keys (`keyText`) of the threads that are listed, newest first. Sub-agents are among them. */
  readonly threads: Loadable<readonly string[]>;
  /** Cursor of the next page of threads. */
  readonly moreThreads: string | null;
  readonly models: Loadable<readonly Model[]>;
  /** Ways to work that a turn can ask for; none where the server has no choice of them. */
  readonly modes: readonly CollaborationModeMask[];
  readonly account: Loadable<AccountView>;
  readonly rateLimits: readonly RateLimitSnapshot[];
}

/** Who uses the server. */
export interface AccountView {
  readonly account: Account | null;
  readonly requiresOpenaiAuth: boolean;
}

/** A skill that can be named in a message. */
export type Skill = SkillMetadata;

/** The page's link to the gateway. */
export type LinkState = "connecting" | "open" | "lost" | "unauthorized";

/** Everything the page shows. Replaced, never changed, at most once per frame. */
export interface AppState {
  readonly link: LinkState;
  /** When the next try to reconnect is made, in ms since 1970. */
  readonly nextTryAtMs: number | null;
  readonly gateway: GatewayInfo | null;
  /** In the order in which they came. */
  readonly hubs: readonly HubView[];
  /** By `keyText`. Every thread that any list, search or notification named. */
  readonly threads: ReadonlyMap<string, ThreadSummary>;
  /** By `keyText`. Threads that are open in this page. */
  readonly open: ReadonlyMap<string, ThreadState>;
  /** Questions of all hubs, oldest first, answered ones of open threads included. */
  readonly pending: readonly PendingRequest[];
  /** Messages for the user that belong to no thread, newest last. */
  readonly toasts: readonly Toast[];
}

/** What the gateway told about itself. */
export interface GatewayInfo {
  readonly version: string;
  readonly cwd: string;
  readonly home: string;
  readonly orchestrator: string | null;
}

/** A passing message. */
export interface Toast {
  readonly id: number;
  readonly level: "info" | "warning" | "error";
  readonly text: string;
}

/** One text for a thread key, for maps and addresses. Neither part holds a space. */
export function keyText({ hub, thread }: ThreadKey): string {
  return `${hub} ${thread}`;
}
