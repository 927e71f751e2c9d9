import type { HubInfo, ToGateway, ToPage } from "@quire/protocol/gateway";
import { linkWords } from "../words/words.ts";
import { oncePerFrame, type Schedule } from "./frame.ts";
import { countWaiting, type HubEvents, takeNotification } from "./hub-notifications.ts";
import { HubStore, sameList } from "./hub-store.ts";
import { type AppState, type GatewayInfo, keyText, type LinkState, type ThreadKey, type Toast } from "./model.ts";
import type { IncomingRequest } from "./pending-requests.ts";
import type { ThreadMarks } from "./thread-marks.ts";

/** Toasts that are shown at once; the oldest goes when there are more. */
const toastLimit = 4;

/** News for the user, also when the page is in the background. */
export type Attention = {
  readonly key: ThreadKey;
  /** True when the user looks at the thread right now. */
  readonly seen: boolean;
} & ({ readonly kind: "turnEnded"; readonly failed: boolean } | { readonly kind: "asked"; readonly method: string });

/** Options of the store. */
export interface PageStoreOptions {
  readonly send: (message: ToGateway) => boolean;
  readonly schedule: Schedule;
  readonly unread: ThreadMarks;
  /** Threads whose last turn failed. */
  readonly failed: ThreadMarks;
  readonly isVisible: () => boolean;
  readonly nowMs?: () => number;
}

/**
 * Everything the page knows. Messages are taken at once; the state that components read is made anew at most once per
 * frame, and parts of it that did not change stay the same objects.
 */
export class PageStore {
  readonly hubs: Map<string, HubStore> = new Map();
  readonly unread: ThreadMarks;
  readonly #options: PageStoreOptions;
  readonly #listeners = new Set<() => void>();
  readonly #attention = new Set<(attention: Attention) => void>();
  readonly #failures = new Set<(request: string, message: string) => void>();
  readonly changed: () => void;
  #state: AppState = {
    link: "connecting",
    nextTryAtMs: null,
    gateway: null,
    hubs: [],
    threads: new Map(),
    open: new Map(),
    pending: [],
    toasts: [],
  };
  #link: LinkState = "connecting";
  #nextTryAtMs: number | null = null;
  #gateway: GatewayInfo | null = null;
  #toasts: readonly Toast[] = [];
  #toastCount = 0;
  #viewed: ThreadKey | null = null;

  constructor(options: PageStoreOptions) {
    this.#options = options;
    this.unread = options.unread;
    this.changed = oncePerFrame(() => this.flush(), options.schedule);
  }

  /** The state as of the last frame. */
  readonly getState = (): AppState => this.#state;

  /** Listens to new states; the returned function stops that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Listens to news for the user; the returned function stops that. */
  onAttention(listener: (attention: Attention) => void): () => void {
    this.#attention.add(listener);
    return () => this.#attention.delete(listener);
  }

  /** Listens to requests that the gateway refused; the returned function stops that. */
  onFailure(listener: (request: string, message: string) => void): () => void {
    this.#failures.add(listener);
    return () => this.#failures.delete(listener);
  }

  send(message: ToGateway): boolean {
    return this.#options.send(message);
  }

  /** The hub of an id; throws when it is gone. */
  hub(id: string): HubStore {
    const hub = this.hubs.get(id);
    if (hub === undefined) throw new Error("This server is no longer connected. Add it again in the sidebar.");
    return hub;
  }

  setLink(link: LinkState, nextTryAtMs: number | null = null): void {
    this.#link = link;
    this.#nextTryAtMs = nextTryAtMs;
    if (link !== "open") for (const hub of this.hubs.values()) hub.lost(linkWords.down);
    this.changed();
  }

  receive(message: ToPage): void {
    if (message.type === "rpc") this.hubs.get(message.hub)?.port.receive(message.message);
    else if (message.type === "hub") this.#putHub(message.hub);
    else if (message.type === "hubRemoved") this.#removeHub(message.id);
    else if (message.type === "welcome") this.#welcome(message);
    else {
      this.toast("error", message.message);
      for (const listener of this.#failures) listener(message.request, message.message);
    }
    this.changed();
  }

  /** Sets the thread that the user looks at: news of it counts as read. */
  view(key: ThreadKey | null): void {
    this.#viewed = key;
    if (key !== null) this.setUnread(key, false);
  }

  setUnread(key: ThreadKey, unread: boolean): void {
    this.unread.set(keyText(key), unread);
    this.hubs.get(key.hub)?.threads.find(key.thread)?.set({ unread });
    this.hubs.get(key.hub)?.changed();
  }

  toast(level: Toast["level"], text: string): void {
    if (this.#toasts.some((toast) => toast.text === text)) return;
    this.#toasts = [...this.#toasts, { id: this.#toastCount++, level, text }].slice(-toastLimit);
    this.changed();
  }

  dismissToast(id: number): void {
    this.#toasts = this.#toasts.filter((toast) => toast.id !== id);
    this.changed();
  }

  /** Rebuilds the state from what changed, and calls the listeners. */
  flush(): void {
    const before = this.#state;
    const stores = [...this.hubs.values()];
    const hubs = stores.map((hub) => hub.view());
    const pending = stores.flatMap(({ pending }) => pending.list());
    const threads = new Map<string, AppState["threads"] extends ReadonlyMap<string, infer S> ? S : never>();
    const open = new Map<string, AppState["open"] extends ReadonlyMap<string, infer S> ? S : never>();
    for (const hub of stores) {
      for (const record of hub.threads.records.values()) {
        threads.set(keyText(record.key), record.summary(hub.ready));
      }
      for (const thread of hub.open.values()) {
        if (thread.shown) open.set(keyText({ hub: hub.id, thread: thread.id }), hub.threadState(thread));
      }
    }
    this.#state = {
      link: this.#link,
      nextTryAtMs: this.#nextTryAtMs,
      gateway: this.#gateway,
      hubs: sameList(before.hubs, hubs) ? before.hubs : hubs,
      threads: sameEntries(before.threads, threads) ? before.threads : threads,
      open: sameEntries(before.open, open) ? before.open : open,
      pending: sameList(before.pending, pending) ? before.pending : pending,
      toasts: this.#toasts,
    };
    for (const listener of this.#listeners) listener();
  }

  #welcome(message: ToPage & { type: "welcome" }): void {
    const { version, cwd, home, orchestrator } = message;
    this.#gateway = { version, cwd, home, orchestrator };
    const there = new Set(message.hubs.map(({ id }) => id));
    for (const id of this.hubs.keys()) if (!there.has(id)) this.#removeHub(id);
    for (const hub of message.hubs) this.#putHub(hub);
  }

  #putHub(info: HubInfo): void {
    let hub = this.hubs.get(info.id);
    if (hub === undefined) {
      hub = new HubStore(info, {
        send: (hub, message) => this.#options.send({ type: "rpc", hub, message }),
        changed: () => this.changed(),
        notification: (from, method, params) => takeNotification(this.#context(from), method, params),
        request: (from, request) => this.#asked(from, request),
        isUnread: (hub, thread) => this.unread.has(keyText({ hub, thread })),
        isFailed: (hub, thread) => this.#options.failed.has(keyText({ hub, thread })),
      });
      this.hubs.set(info.id, hub);
    }
    hub.update(info);
  }

  #removeHub(id: string): void {
    this.hubs.get(id)?.lost("The server was removed");
    this.hubs.delete(id);
  }

  #context(hub: HubStore): Parameters<typeof takeNotification>[0] {
    const events: HubEvents = {
      turnEnded: (key, status) => {
        const failed = status === "failed";
        this.#options.failed.set(keyText(key), failed);
        this.#attend({ kind: "turnEnded", key, failed, seen: this.#isSeen(key) });
      },
      message: (level, text) => this.toast(level, text),
      threadDeleted: (key) => this.setUnread(key, false),
    };
    return { hub, events, nowMs: (this.#options.nowMs ?? Date.now)() };
  }

  #asked(hub: HubStore, incoming: IncomingRequest): void {
    const { id, method, params } = incoming;
    if (method === "currentTime/read") {
      hub.port.reply(id, { result: { currentTimeAt: Math.floor(Date.now() / 1000) } });
      return;
    }
    if (unanswerable.has(method)) {
      hub.port.reply(id, { error: { code: -32601, message: `A browser cannot answer ${method}` } });
      return;
    }
    const { threadId, turnId } = (params ?? {}) as { readonly threadId?: unknown; readonly turnId?: unknown };
    const open = hub.open.get(String(threadId));
    const request = hub.pending.add(incoming, open?.lastItem(String(turnId)) ?? null);
    countWaiting(hub, request.threadId);
    if (hub.threads.find(request.threadId) === undefined) void hub.threads.lookUp(request.threadId);
    hub.changed();
    const key = { hub: hub.id, thread: request.threadId };
    this.#attend({ kind: "asked", key, method, seen: this.#isSeen(key) });
  }

  #isSeen(key: ThreadKey): boolean {
    return this.#viewed !== null && keyText(this.#viewed) === keyText(key) && this.#options.isVisible();
  }

  #attend(attention: Attention): void {
    const thread = this.hubs.get(attention.key.hub)?.threads.find(attention.key.thread);
    // A sub-agent reports to its parent; only what it asks is news for the user.
    const isNews = attention.kind === "asked" || thread?.parent === null;
    if (isNews && !attention.seen) this.setUnread(attention.key, true);
    for (const listener of this.#attention) listener(attention);
  }
}

/** Questions to the program, not to its user, that a page has no answer to. */
const unanswerable: ReadonlySet<string> = new Set(["attestation/generate", "account/chatgptAuthTokens/refresh"]);

function sameEntries<T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of b) if (!Object.is(a.get(key), value)) return false;
  return true;
}
