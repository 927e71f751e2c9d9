import { RpcError } from "@quire/client";
import type { ThreadResumeResponse } from "@quire/protocol";
import { supports } from "@quire/protocol/versions";
import { checkKey, keyAddress } from "../link/key-check.ts";
import { stateWords } from "../words/words.ts";
import type { Actions, SearchHit } from "./actions.ts";
import { checkpointBefore } from "./checkpoints.ts";
import { overridesOnWire } from "./collaboration-mode.ts";
import { cutUndone } from "./cut-thread.ts";
import type { ThreadKey } from "./model.ts";
import type { PageStore } from "./page-store.ts";
import { queueActions } from "./queue-actions.ts";
import { terminalsOf } from "./terminal.ts";

/** Creates the actions of a store. */
export function createActions(store: PageStore): Actions {
  const port = (hub: string) => store.hub(hub).port;
  const opened = (key: ThreadKey) => {
    const thread = store.hub(key.hub).openThread(key.thread);
    thread.shown = true;
    return thread;
  };
  /** Adopts a thread that the server just made for this page. */
  const adopt = (hub: string, response: Omit<ThreadResumeResponse, "initialTurnsPage">): ThreadKey => {
    const key = { hub, thread: response.thread.id };
    store.hub(hub).threads.put(response.thread, { listed: true });
    opened(key).adopt(response);
    store.hub(hub).changed();
    return key;
  };
  const activeTurn = (key: ThreadKey): string | null => {
    const hub = store.hub(key.hub);
    return hub.open.get(key.thread)?.activeTurn ?? hub.threads.find(key.thread)?.flags.activeTurn ?? null;
  };
  const send: Actions["send"] = async (key, input, overrides = {}) => {
    const hub = store.hub(key.hub);
    const { mode } = overrides;
    const [nameCheckpoint] = await Promise.all([checkpointBefore(hub, key.thread), cutUndone(hub, key.thread)]);
    const { turn } = await hub.port.request("turn/start", {
      threadId: key.thread,
      input: [...input],
      ...overridesOnWire(hub, key.thread, overrides),
    });
    void nameCheckpoint(turn.id);
    hub.threads.find(key.thread)?.set({ activeTurn: turn.status === "inProgress" ? turn.id : null, failed: false });
    hub.open.get(key.thread)?.updateSettings({
      ...(overrides.model === undefined ? {} : { model: overrides.model }),
      ...(overrides.effort === undefined ? {} : { effort: overrides.effort }),
      ...(overrides.sandboxPolicy === undefined ? {} : { sandboxPolicy: overrides.sandboxPolicy }),
      ...(overrides.approvalPolicy === undefined ? {} : { approvalPolicy: overrides.approvalPolicy }),
      ...(overrides.approvalsReviewer === undefined ? {} : { approvalsReviewer: overrides.approvalsReviewer }),
      ...(mode === undefined ? {} : { collaborationMode: { mode } }),
    });
    hub.changed();
  };

  return {
    openThread: async (key) => {
      const hub = store.hub(key.hub);
      const known = hub.open.get(key.thread)?.shown === true;
      const thread = opened(key);
      hub.trim();
      if (!known || thread.snapshot().error !== null) await thread.load();
    },
    leaveThread: ({ hub }) => store.hubs.get(hub)?.trim(),
    newThread: async (hub, options = {}) => adopt(hub, await port(hub).request("thread/start", { ...options })),
    send,
    steer: async (key, input) => {
      const turnId = activeTurn(key);
      const version = port(key.hub).serverVersion;
      if (turnId === null || (version !== undefined && supports("turn/steer", version) === false)) {
        return send(key, input);
      }
      try {
        await port(key.hub).request("turn/steer", {
          threadId: key.thread,
          expectedTurnId: turnId,
          input: [...input],
        });
      } catch (error) {
        // The turn may have ended meanwhile; any other turn is refused in the same way.
        if (!RpcError.is(error) || activeTurn(key) === turnId) throw error;
        await send(key, input);
      }
    },
    ...queueActions(store),
    interrupt: async (key) => {
      const turnId = activeTurn(key);
      if (turnId === null) return;
      const stop = (id: string) => port(key.hub).request("turn/interrupt", { threadId: key.thread, turnId: id });
      await stop(turnId).catch((error: unknown) => {
        // A review may run as a turn within the turn that shows it, and only the server knows which.
        const inner = RpcError.is(error) ? /but found ([\w-]+)/.exec(error.message)?.[1] : undefined;
        if (inner === undefined) throw error;
        return stop(inner);
      });
    },
    answer: (requestId, result, label) => answer(store, requestId, { reply: { result }, label }),
    refuse: (requestId, message) =>
      answer(store, requestId, { reply: { error: { code: -32000, message } }, label: `Refused: ${message}` }),
    rename: async (key, name) => {
      await port(key.hub).request("thread/name/set", { threadId: key.thread, name });
      const hub = store.hub(key.hub);
      hub.threads.find(key.thread)?.update({ name });
      hub.changed();
    },
    fork: async (key, lastTurnId) => {
      const version = port(key.hub).serverVersion;
      const pages = version === undefined || supports("thread/turns/list", version) !== false;
      const response = await port(key.hub).request("thread/fork", {
        threadId: key.thread,
        ...(lastTurnId === undefined ? {} : { lastTurnId }),
        ...(pages ? { excludeTurns: true } : {}),
      });
      const original = store.hub(key.hub).threads.find(key.thread)?.thread;
      // Some servers leave out where a copy comes from.
      const thread = {
        ...response.thread,
        preview: response.thread.preview || (original?.preview ?? ""),
        forkedFromId: response.thread.forkedFromId ?? key.thread,
      };
      const fork = adopt(key.hub, { ...response, thread });
      if (pages) await opened(fork).load();
      return fork;
    },
    archive: async (key) => {
      await port(key.hub).request("thread/archive", { threadId: key.thread });
      const hub = store.hub(key.hub);
      hub.threads.find(key.thread)?.set({ archived: true, unread: false });
      hub.changed();
    },
    unarchive: async (key) => {
      const { thread } = await port(key.hub).request("thread/unarchive", { threadId: key.thread });
      const hub = store.hub(key.hub);
      hub.threads.put(thread, { listed: true, archived: false });
      const open = hub.open.get(key.thread);
      if (open?.shown === true) await open.load();
    },
    compact: async (key) => {
      await port(key.hub).request("thread/compact/start", { threadId: key.thread });
    },
    review: async (key, target) => {
      await port(key.hub).request("review/start", { threadId: key.thread, target, delivery: "inline" });
    },
    loadOlder: async (key) => store.hub(key.hub).open.get(key.thread)?.loadOlder(),
    markRead: (key) => store.setUnread(key, false),
    setUnread: (key, unread) => store.setUnread(key, unread),
    refreshThreads: (hub) => store.hub(hub).threads.refresh(),
    loadMoreThreads: (hub) => store.hub(hub).threads.loadMore(),
    listArchived: async (hub, cursor = null) => {
      const { records, next } = await store.hub(hub).threads.archived(cursor);
      return { keys: records.map(({ key }) => key), next };
    },
    searchThreads: (term, signal) => searchThreads(store, term, signal),
    searchFiles: async (hub, query, cwd) => (await port(hub).request("fuzzyFileSearch", { query, roots: [cwd] })).files,
    listSkills: async (hub, cwd) => {
      const { data } = await port(hub).request("skills/list", { cwds: [cwd] });
      return data.flatMap(({ skills }) => skills).filter(({ enabled }) => enabled !== false);
    },
    listModels: (hub) => store.hub(hub).loadModels(),
    readAccount: (hub) => store.hub(hub).loadAccount(),
    login: (hub, params) => port(hub).request("account/login/start", params),
    logout: async (hub) => {
      await port(hub).request("account/logout", undefined);
      await store.hub(hub).loadAccount();
      store.hub(hub).accountChanged();
    },
    checkKey: async (hub, key) => {
      const { config } = await port(hub).request("config/read", { includeLayers: false });
      return checkKey(key, { baseUrl: keyAddress(config) });
    },
    checkProvider: (key, provider) => checkKey(key, provider),
    configChanged: (hub) => store.hub(hub).accountChanged(),
    shellCommand: async (key, command) => {
      await port(key.hub).request("thread/shellCommand", { threadId: key.thread, command });
    },
    terminals: (hub) => terminalsOf(port(hub)),
    exec: (hub, params) => port(hub).request("command/exec", params, { timeoutMs: 0 }),
    addHub: (address) => addHub(store, address),
    removeHub: (id) => void store.send({ type: "removeHub", id }),
    reconnectHub: (id) => void store.send({ type: "reconnectHub", id }),
    toast: (level, text) => store.toast(level, text),
    dismissToast: (id) => store.dismissToast(id),
    request: (hub, method, params) => port(hub).requestUntyped(method, params) as never,
    onNotification: (hub, method, listener) => port(hub).onNotification(method, listener as (params: never) => void),
  };
}

interface GivenAnswer {
  readonly reply: { readonly result: unknown } | { readonly error: unknown };
  readonly label: string;
}

async function answer(store: PageStore, requestId: string, { reply, label }: GivenAnswer): Promise<void> {
  for (const hub of store.hubs.values()) {
    const request = hub.pending.get(requestId);
    if (request === undefined || request.answered !== null) continue;
    if (!hub.port.reply(request.id, reply)) throw new Error(stateWords.linkQuireDownAnswerAgain);
    await hub.pending.sent(requestId, label);
  }
}

async function searchThreads(store: PageStore, term: string, signal?: AbortSignal): Promise<readonly SearchHit[]> {
  const hubs = [...store.hubs.values()].filter(({ ready }) => ready);
  const found = await Promise.allSettled(hubs.map(({ threads }) => threads.search(term, signal)));
  const failed = found.find((result) => result.status === "rejected");
  if (failed !== undefined && found.every(({ status }) => status === "rejected")) throw failed.reason;
  const hits = found.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  return hits
    .map(({ record, snippet }) => ({ key: record.key, thread: record.thread, snippet }))
    .toSorted((a, b) => b.thread.updatedAt - a.thread.updatedAt);
}

/** Time for the gateway to try a new address. */
const addTimeoutMs = 15_000;

/** Resolves when the hub is there, in whatever state, and rejects with the gateway's reason. */
function addHub(store: PageStore, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const before = new Set(store.hubs.keys());
    const end = (): void => {
      clearTimeout(timer);
      stopFailures();
      stopStates();
    };
    const stopFailures = store.onFailure((request, message) => {
      if (request !== "addHub") return;
      end();
      reject(new Error(message));
    });
    const stopStates = store.subscribe(() => {
      const there = [...store.hubs.values()].some(({ id, info }) => !before.has(id) || info.address === address);
      if (!there) return;
      end();
      resolve();
    });
    const timer = setTimeout(() => {
      end();
      reject(new Error(stateWords.didNotAnswerCheckApp(address)));
    }, addTimeoutMs);
    if (store.send({ type: "addHub", address })) return;
    end();
    reject(new Error(stateWords.linkQuireDownTryAgain));
  });
}
