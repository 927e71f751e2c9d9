import type { Thread } from "@quire/protocol";
import type { HubInfo, ToGateway } from "@quire/protocol/gateway";
import { codexVersion } from "@quire/protocol/version";
import type { Actions } from "../../../src/state/actions.ts";
import { createActions } from "../../../src/state/create-actions.ts";
import type { AppState, ThreadState } from "../../../src/state/model.ts";
import { keyText } from "../../../src/state/model.ts";
import { PageStore } from "../../../src/state/page-store.ts";
import { ThreadMarks } from "../../../src/state/thread-marks.ts";

/** How a method is answered: with a result, or by throwing `{ code, message }`. */
export type Answers = Record<string, (params: Record<string, unknown>) => unknown>;

/** The gateway's side of the contract for one hub, in memory: a page's store talks to it as to the real one. */
export class FakeGateway {
  readonly store: PageStore;
  readonly actions: Actions;
  /** What the page asked the hub, in order. */
  readonly asked: { readonly method: string; readonly params: Record<string, unknown> }[] = [];
  /** The page's replies to questions of the hub. */
  readonly replies: { readonly id: unknown; readonly result?: unknown; readonly error?: unknown }[] = [];
  readonly answers: Answers;
  hub: HubInfo = hubInfo();
  visible = true;
  /** Answers count at once, as where no other page is faster. */
  confirms = true;
  /** While held, requests are taken and not answered. */
  held: (() => void)[] | null = null;
  #up = true;
  #frame: (() => void) | null = null;

  constructor(answers: Answers = {}) {
    this.answers = {
      "thread/list": () => ({ data: [], nextCursor: null }),
      "thread/loaded/list": () => ({ data: [] }),
      "model/list": () => ({ data: [] }),
      "account/read": () => ({ account: null, requiresOpenaiAuth: false }),
      "account/rateLimits/read": () => ({ rateLimits: {} }),
      ...answers,
    };
    this.store = new PageStore({
      send: (message) => this.#take(message),
      schedule: (run) => {
        this.#frame = run;
      },
      unread: new ThreadMarks(null, "unread"),
      failed: new ThreadMarks(null, "failed"),
      isVisible: () => this.visible,
      nowMs: () => 1_000_000,
    });
    this.actions = createActions(this.store);
  }

  /** Opens the link, as a page does at its start. */
  async open(): Promise<void> {
    this.#up = true;
    this.store.setLink("open");
    this.store.receive({
      type: "welcome",
      version: "0",
      cwd: "/work",
      home: "/home/me",
      hubs: [this.hub],
      orchestrator: null,
    });
    await this.settle();
  }

  /** Drops the link, as when the gateway is killed. */
  drop(): void {
    this.#up = false;
    this.store.setLink("lost", 0);
    this.frame();
  }

  /** The hub changed. */
  async update(change: Partial<HubInfo>): Promise<void> {
    this.hub = { ...this.hub, ...change };
    this.store.receive({ type: "hub", hub: this.hub });
    await this.settle();
  }

  notify(method: string, params: unknown): void {
    this.rpc({ method, params });
  }

  ask(id: string | number, method: string, params: unknown): void {
    this.rpc({ id, method, params });
  }

  rpc(message: unknown): void {
    this.store.receive({ type: "rpc", hub: this.hub.id, message });
  }

  /** Draws a frame if one is due. */
  frame(): AppState {
    const run = this.#frame;
    this.#frame = null;
    run?.();
    return this.store.getState();
  }

  /** Lets every answer that is under way arrive, then draws. */
  async settle(): Promise<AppState> {
    for (let round = 0; round < 30; round++) await Promise.resolve();
    return this.frame();
  }

  /** An open thread as the page shows it. */
  thread(id: string): ThreadState {
    const state = this.store.getState().open.get(keyText({ hub: this.hub.id, thread: id }));
    if (state === undefined) throw new Error(`${id} is not open`);
    return state;
  }

  #take(message: ToGateway): boolean {
    if (!this.#up) return false;
    if (message.type !== "rpc") return true;
    const { id, method, params, result, error } = message.message as Record<string, unknown>;
    if (typeof method !== "string") {
      this.replies.push({ id, result, error });
      if (this.confirms)
        queueMicrotask(() => this.notify("serverRequest/resolved", { requestId: id, answeredBy: "you" }));
      return true;
    }
    this.asked.push({ method, params: params as Record<string, unknown> });
    const answer = (): void => this.#answer(id, method, params as Record<string, unknown>);
    if (this.held === null) queueMicrotask(answer);
    else this.held.push(answer);
    return true;
  }

  #answer(id: unknown, method: string, params: Record<string, unknown>): void {
    const answer = this.answers[method];
    if (answer === undefined) {
      this.rpc({ id, error: { code: -32601, message: `Method not found: ${method}` } });
      return;
    }
    try {
      this.rpc({ id, result: answer(params) });
    } catch (error) {
      this.rpc({ id, error });
    }
  }
}

/** A hub that is ready. */
function hubInfo(): HubInfo {
  return {
    id: "h1",
    name: "codex",
    kind: "spawned",
    address: null,
    state: "ready",
    attempt: 0,
    error: null,
    userAgent: null,
    version: codexVersion,
    epoch: 1,
  };
}

/** A thread as servers describe it. */
export function aThread(id: string, change: Partial<Thread> = {}): Thread {
  return {
    id,
    cliVersion: codexVersion,
    createdAt: 1,
    updatedAt: 1,
    cwd: "/work",
    ephemeral: false,
    modelProvider: "mock",
    preview: "",
    projectId: null,
    sessionId: id,
    source: "vscode",
    status: { type: "idle" },
    turns: [],
    ...change,
  };
}

/** What `thread/resume` and `thread/start` say beside the thread. */
export function aResponse(thread: Thread, change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    thread,
    approvalPolicy: "on-request",
    approvalsReviewer: "user",
    cwd: thread.cwd,
    model: "mock-model",
    modelProvider: "mock",
    sandbox: { type: "readOnly" },
    ...change,
  };
}
