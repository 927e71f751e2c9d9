import { GatewaySocket } from "../link/gateway-socket.ts";
import { isSignedIn, signIn } from "../link/sign-in.ts";
import type { Actions } from "../state/actions.ts";
import { createActions } from "../state/create-actions.ts";
import { browserFrames } from "../state/frame.ts";
import { PageStore } from "../state/page-store.ts";
import { ThreadMarks } from "../state/thread-marks.ts";
import { followAttention } from "./attention.ts";

/** Returning to the page after this time refreshes the lists. */
const refreshMs = 30_000;

/** The page's own parts, wired together. */
export interface Page {
  readonly store: PageStore;
  readonly actions: Actions;
  /** Tries the link to the gateway now. */
  readonly retry: () => void;
}

/** Hands over the token, opens the link to the gateway and keeps it open for as long as the page lives. */
export function startPage(): Page {
  const store = new PageStore({
    send: (message) => socket.send(message),
    schedule: browserFrames(),
    unread: new ThreadMarks(storage(), "quire.unread"),
    failed: new ThreadMarks(storage(), "quire.failed"),
    isVisible: () => document.visibilityState === "visible",
  });
  const socket = new GatewaySocket({
    open: () => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`),
    isSignedIn,
    events: {
      message: (message) => store.receive(message),
      connecting: () => store.setLink("connecting"),
      opened: () => store.setLink("open"),
      lost: (nextTryAtMs) => store.setLink("lost", nextTryAtMs),
      refused: () => store.setLink("unauthorized"),
    },
  });
  followAttention(store);
  const connect = (): void => socket.connect();
  addEventListener("online", connect);
  const actions = createActions(store);
  let refreshedAtMs = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    connect();
    // Other programs write threads too, and servers send no notification of those.
    if (Date.now() - refreshedAtMs < refreshMs) return;
    refreshedAtMs = Date.now();
    for (const { id, ready } of store.hubs.values()) if (ready) void actions.refreshThreads(id);
  });
  void begin(store, connect);
  // Browsers take it over https and on this machine alone; the page works without.
  navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
  return { store, actions, retry: connect };
}

async function begin(store: PageStore, connect: () => void): Promise<void> {
  try {
    if (!(await signIn(location, history))) return store.setLink("unauthorized");
  } catch {
    // A gateway that does not answer is found out by the socket, which tries again.
  }
  connect();
}

function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
