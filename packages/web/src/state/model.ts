import type { LiveThreadSnapshot } from "@quire/client/view";
import type { Account, CollaborationModeMask, Model, RateLimitSnapshot, SkillMetadata } from "@quire/protocol";
import type { HubInfo } from "@quire/protocol/gateway";

/** Names one thread of one hub. */
export interface ThreadKey {
  readonly hub: string;
  readonly thread: string;
}

/** Status of a thread, in the page's own words. */
export type ThreadStatus = "idle" | "working" | "waiting" | "failed" | "disconnected" | "notLoaded";

/** A thread as lists show it. */
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
  /** Thread that this one is a copy of. */
  readonly forkedFrom: string | null;
  readonly model: string | null;
  /** Seconds since 1970. */
  readonly updatedAt: number;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** Branch of the folder when the thread began, where the server tells it. */
  readonly branch: string | null;
}

/** A thread that is open in this page. */
export interface ThreadState extends LiveThreadSnapshot {
  readonly summary: ThreadSummary;
  readonly pending: readonly PendingRequest[];
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
  /** The answer; it stays while the thread is open so that it can be read. */
  readonly answered: { readonly label: string; readonly byMe: boolean } | null;
}

/** Something that is fetched: not yet, being fetched, there, or failed with a reason. */
export interface Loadable<T> {
  readonly value: T | null;
  readonly loading: boolean;
  readonly error: string | null;
}

/** A hub, with everything but the content of its threads. */
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
  /** Grows when the settings of a new thread may be others than before. */
  readonly configRevision: number;
}

/** The account of a server. */
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

/** The gateway's description of itself. */
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

/** A thread key as one text, for maps and addresses. Neither part holds a space. */
export function keyText({ hub, thread }: ThreadKey): string {
  return `${hub} ${thread}`;
}
