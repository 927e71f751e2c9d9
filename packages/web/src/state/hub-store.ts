import { LiveThread } from "@quire/client/view";
import type { CollaborationModeMask, Model, RateLimitSnapshot } from "@quire/protocol";
import type { HubInfo } from "@quire/protocol/gateway";
import { HubPort } from "../link/hub-port.ts";
import { linkWords } from "../words/words.ts";
import { HubThreads } from "./hub-threads.ts";
import { messageOf } from "./message-of.ts";
import type { AccountView, HubView, Loadable, ThreadState } from "./model.ts";
import { type IncomingRequest, PendingRequests } from "./pending-requests.ts";

/** Bound on idle open threads; the one that was left longest ago is released first. */
const openKept = 8;

/**
 * A thread that is open. Nobody looks at it until it is shown: notifications are applied, but its history is not
 * loaded.
 */
export class OpenThread extends LiveThread {
  shown = false;
}

/** The page, as a hub sees it. */
export interface HubStoreHost {
  readonly send: (hub: string, message: unknown) => boolean;
  readonly changed: () => void;
  readonly notification: (hub: HubStore, method: string, params: unknown) => void;
  readonly request: (hub: HubStore, request: IncomingRequest) => void;
  readonly isUnread: (hub: string, threadId: string) => boolean;
  /** The thread's last turn failed, as far as this browser has seen. */
  readonly isFailed: (hub: string, threadId: string) => boolean;
}

/** Everything the page holds of one hub. */
export class HubStore {
  readonly id: string;
  readonly port: HubPort;
  readonly threads: HubThreads;
  readonly pending: PendingRequests;
  /** By thread id, in the order in which they were last opened. */
  readonly open: Map<string, OpenThread> = new Map();
  /** Turns of which this page has taken a checkpoint, or tried to. */
  readonly checkpointed: Set<string> = new Set();
  info: HubInfo;
  rateLimits: readonly RateLimitSnapshot[] = [];
  readonly #host: HubStoreHost;
  readonly #states = new Map<string, ThreadState>();
  #models: Loadable<readonly Model[]> = { value: null, loading: false, error: null };
  #modes: readonly CollaborationModeMask[] = [];
  #account: Loadable<AccountView> = { value: null, loading: false, error: null };
  #view: HubView | null = null;
  #stale = true;
  #ready = false;
  #configRevision = 0;

  constructor(info: HubInfo, host: HubStoreHost) {
    this.id = info.id;
    this.info = info;
    this.#host = host;
    const changed = (): void => this.changed();
    this.pending = new PendingRequests(info.id);
    this.port = new HubPort({
      send: (message) => host.send(info.id, message),
      version: () => this.info.version ?? undefined,
      events: {
        notification: (method, params) => host.notification(this, method, params),
        request: (id, method, params) => host.request(this, { id, method, params }),
      },
    });
    const isUnread = (threadId: string): boolean => host.isUnread(info.id, threadId);
    const isFailed = (threadId: string): boolean => host.isFailed(info.id, threadId);
    this.threads = new HubThreads({ hub: info.id, port: this.port, changed, isUnread, isFailed });
  }

  get ready(): boolean {
    return this.#ready;
  }

  /** Updates the hub's info. A new epoch, or a link that was down, means that events were missed. */
  update(info: HubInfo): void {
    const restarted = info.epoch !== this.info.epoch;
    this.info = info;
    if (info.state !== "ready" || restarted) this.lost(`${info.name} is not connected`);
    if (info.state === "ready" && !this.#ready) this.#rebuild();
    this.changed();
  }

  /** Handles a lost link: calls fail, questions will be asked again, and threads show as disconnected. */
  lost(reason: string): void {
    if (!this.#ready) return;
    this.#ready = false;
    this.port.interrupted(reason);
    this.pending.forgetOpen();
    for (const thread of this.open.values()) thread.missedEvents();
    for (const record of this.threads.records.values()) record.set({ waiting: 0, activeTurn: null });
    this.changed();
  }

  /** Opens a thread, or gives the one that is open. */
  openThread(id: string): OpenThread {
    const thread = this.open.get(id) ?? this.#newThread(id);
    // Last in the map is last opened.
    this.open.delete(id);
    this.open.set(id, thread);
    return thread;
  }

  #newThread(id: string): OpenThread {
    const thread = new OpenThread(this.port, id, {
      cwd: this.threads.records.get(id)?.thread.cwd,
      onThread: (described) => this.threads.put(described, { listed: true }),
      // The store itself waits for the next frame.
      schedule: (run) => run(),
    });
    thread.subscribe(() => this.contentChanged());
    return thread;
  }

  /** Releases the threads that were left longest ago, except those with a running turn. */
  trim(): void {
    const idle = [...this.open.values()].filter(({ id }) => this.threads.records.get(id)?.active !== true);
    for (const { id, shown } of idle.slice(0, Math.max(0, idle.length - openKept))) {
      this.open.delete(id);
      this.#states.delete(id);
      // A thread that was only listened to was never asked for.
      if (shown) this.port.request("thread/unsubscribe", { threadId: id }).catch(() => undefined);
    }
    this.changed();
  }

  async loadModels(): Promise<readonly Model[]> {
    const models = await this.#load(
      this.#models,
      () => this.#listModels(),
      (next) => {
        this.#models = next;
      },
    );
    return models;
  }

  /** The models of the provider in use, where it lists its own, else those that the server knows. */
  async #listModels(): Promise<readonly Model[]> {
    const { data } = await this.port.request("model/list", {});
    const provider = await this.#provider().catch(() => null);
    if (provider === null) return data;
    const named: { readonly data: readonly Model[] } = await this.port
      .request("model/list", { modelProvider: provider })
      .catch(() => ({ data }));
    return named.data.length > 0 ? named.data : data;
  }

  /** The id of the provider in use; null for those whose models every server knows. */
  async #provider(): Promise<string | null> {
    const { config } = await this.port.request("config/read", { includeLayers: false });
    const id = config.model_provider ?? null;
    return id === "openai" || id === "offline" ? null : id;
  }

  /** Loads the collaboration modes; none for a server that does not know of them. */
  async loadModes(): Promise<void> {
    const { data } = await this.port.request("collaborationMode/list", {}).catch(() => ({ data: [] }));
    this.#modes = data;
    this.changed();
  }

  async loadAccount(): Promise<AccountView> {
    const read = async (): Promise<AccountView> => {
      const { account = null, requiresOpenaiAuth } = await this.port.request("account/read", {});
      return { account, requiresOpenaiAuth };
    };
    return this.#load(this.#account, read, (next) => {
      this.#account = next;
    });
  }

  /** Reads again what depends on who is signed in: account, models, and what a new thread would use. */
  accountChanged(): void {
    this.#configRevision++;
    this.loadAccount().catch(() => undefined);
    this.loadModels().catch(() => undefined);
    this.changed();
  }

  async loadRateLimits(): Promise<void> {
    const { rateLimits } = await this.port.request("account/rateLimits/read", {});
    this.setRateLimits(rateLimits);
  }

  /** Updates one meter; a server may have several, with different ids. */
  setRateLimits(limits: RateLimitSnapshot): void {
    const others = this.rateLimits.filter(({ limitId }) => (limitId ?? null) !== (limits.limitId ?? null));
    this.rateLimits = [...others, limits];
    this.changed();
  }

  /** Schedules an update of the hub's view. */
  changed(): void {
    this.#stale = true;
    this.#host.changed();
  }

  /** Schedules an update of the contents of threads alone. */
  contentChanged(): void {
    this.#host.changed();
  }

  /** The hub without its threads' contents; the same object until something changed. */
  view(): HubView {
    if (!this.#stale && this.#view !== null) return this.#view;
    this.#stale = false;
    const listed = this.threads.list();
    const before = this.#view?.threads;
    const unchanged =
      before !== undefined &&
      before.loading === listed.loading &&
      before.error === listed.error &&
      sameList(before.value ?? [], listed.value ?? []) &&
      (before.value === null) === (listed.value === null);
    this.#view = {
      ...this.info,
      // What the gateway said last may not hold once it does not answer itself.
      state: this.#ready || this.info.state !== "ready" ? this.info.state : "disconnected",
      error: this.#ready || this.info.state !== "ready" ? this.info.error : `${linkWords.down}.`,
      threads: unchanged ? before : listed,
      moreThreads: this.threads.more,
      models: this.#models,
      modes: this.#modes,
      account: this.#account,
      rateLimits: this.rateLimits,
      configRevision: this.#configRevision,
    };
    return this.#view;
  }

  /** The state of an open thread; the same object until something changed. */
  threadState(thread: OpenThread): ThreadState {
    const before = this.#states.get(thread.id);
    const known = this.threads.records.get(thread.id)?.summary(this.#ready);
    const summary = known ?? before?.summary ?? unknownSummary(this.id, thread.id);
    const pending = this.pending
      .list()
      .filter(({ threadId }) => threadId === thread.id || this.threads.isDescendant(threadId, thread.id));
    const parts = { ...thread.snapshot(), summary };
    if (before !== undefined && same(before, parts) && sameList(before.pending, pending)) return before;
    const state = { ...parts, pending, version: (before?.version ?? 0) + 1 };
    this.#states.set(thread.id, state);
    return state;
  }

  #rebuild(): void {
    this.#ready = true;
    this.port.restarted();
    for (const record of this.threads.records.values()) record.changed();
    // Failures are shown where they belong: in the list, in the thread, in the panels.
    void this.threads.refresh();
    for (const thread of this.open.values()) if (thread.shown) void thread.load();
    for (const [id, { shown }] of this.open) if (!shown) this.open.delete(id);
    this.loadModels().catch(() => undefined);
    void this.loadModes();
    this.loadAccount().catch(() => undefined);
    this.loadRateLimits().catch(() => undefined);
  }

  async #load<T>(now: Loadable<T>, fetch: () => Promise<T>, put: (next: Loadable<T>) => void): Promise<T> {
    put({ ...now, loading: true, error: null });
    this.changed();
    try {
      const value = await fetch();
      put({ value, loading: false, error: null });
      return value;
    } catch (error) {
      put({ value: now.value, loading: false, error: messageOf(error) });
      throw error;
    } finally {
      this.changed();
    }
  }
}

function same(before: ThreadState, parts: Omit<ThreadState, "pending" | "version">): boolean {
  return (Object.keys(parts) as (keyof typeof parts)[]).every((key) => Object.is(before[key], parts[key]));
}

/** Compares two lists item by item, by identity. */
export function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((value, index) => Object.is(value, b[index]));
}

function unknownSummary(hub: string, thread: string): ThreadState["summary"] {
  return {
    key: { hub, thread },
    name: null,
    preview: "",
    cwd: "",
    status: "notLoaded",
    unread: false,
    archived: false,
    parent: null,
    agentNickname: null,
    agentRole: null,
    forkedFrom: null,
    model: null,
    updatedAt: 0,
    createdAt: 0,
    branch: null,
  };
}
