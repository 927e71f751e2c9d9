import type {
  GitInfo,
  RateLimitSnapshot,
  ResponseItem,
  ServerNotifications,
  ThreadActiveFlag,
  ThreadItem,
  ThreadStatus,
  Turn,
} from "@quire/protocol";
import { Approvals } from "../approval/approvals.ts";
import type { EffectiveConfig } from "../config/effective-config.ts";
import type { Client } from "../context/client.ts";
import { Services } from "../context/services.ts";
import { applyLine } from "../record/fold.ts";
import { event, type NewLine, type ThreadEvent } from "../record/rollout-line.ts";
import type { ThreadRecord } from "../record/thread-record.ts";
import type { TurnSettings } from "../record/turn-settings.ts";
import type { Rollout } from "../store/thread-store.ts";
import { createToolbox, type Toolbox } from "../tools/toolbox.ts";
import type { ActiveTurn } from "./active-turn.ts";
import type { Core } from "./core.ts";
import { Elicitations } from "./elicitations.ts";
import { Features } from "./features.ts";
import type { Observer } from "./observer.ts";
import { QuestionDesk } from "./question-desk.ts";
import { Subscribers } from "./subscribers.ts";
import type { ThreadParts } from "./thread-parts.ts";
import { WaitingFlags } from "./waiting-flags.ts";

/** A loaded thread: one writer, many subscribers. Events are written, then folded into the record, then sent. */
export class Thread {
  readonly core: Core<Thread>;
  readonly subscribers: Subscribers = new Subscribers();
  readonly questions: QuestionDesk;
  readonly ephemeral: boolean;
  record: ThreadRecord;
  settings: TurnSettings;
  config: EffectiveConfig;
  /** True when subscribers get the model's raw input and output. */
  rawEvents = false;
  /** The provider's latest limits. */
  limits: RateLimitSnapshot | undefined;
  /** The running turn; there is one at a time. */
  active: ActiveTurn | undefined;
  /** True while the thread closes: nothing begins on it any more. */
  closing = false;
  /** The project of a thread that is not stored; others are in the user state. */
  unstoredProject: string | null = null;
  readonly services: Services<Thread> = new Services<Thread>(this);
  readonly elicitations: Elicitations = new Elicitations();
  readonly approvals: Approvals;
  /** Observes notifications; most servers have none. */
  observer: Observer | undefined;
  readonly features: Features<Thread>;
  readonly #waits = new WaitingFlags(() => {
    if (this.#status.type === "active") this.setStatus({ type: "active", activeFlags: this.#waits.flags });
  });
  readonly #rollout: Rollout | null;
  #status: ThreadStatus = { type: "idle" };
  #toolbox: Toolbox | undefined;
  #closed: Promise<void> | undefined;

  constructor(core: Core<Thread>, parts: ThreadParts) {
    this.core = core;
    this.record = parts.record;
    this.settings = parts.settings;
    this.config = parts.config;
    this.ephemeral = parts.ephemeral;
    this.#rollout = parts.rollout;
    this.questions = new QuestionDesk(this);
    const { home, env, log } = core.server;
    this.features = new Features(core.features, this, log);
    const required = () => this.config.requirements;
    this.approvals = new Approvals(
      { home, env, required, warn: (problem) => log.warn(problem) },
      this.features.reviewer,
    );
    this.features.open();
  }

  get id(): string {
    return this.record.meta.id;
  }

  get status(): ThreadStatus {
    return this.#status;
  }

  /** Made when the first turn needs it. */
  get toolbox(): Toolbox {
    this.#toolbox ??= createToolbox({
      threadId: this.id,
      config: this.config,
      dynamicTools: this.record.meta.quire?.dynamicTools ?? [],
      tools: this.features.tools,
      env: this.core.server.env,
      groups: () => this.features.groups(),
      elsewhere: (id) => this.core.environments().remote(id),
      launcher: async () => {
        const { sandboxLauncher } = await import("../run/sandbox/sandbox-launcher.ts");
        return sandboxLauncher(this.core.server);
      },
    });
    return this.#toolbox;
  }

  /** Takes the right to write, and adopts what another process has written meanwhile. */
  beginWriting(): void {
    const newer = this.#rollout?.begin();
    if (newer !== undefined) this.record = newer;
  }

  /** Adopts what another process has written meanwhile, before reading. */
  async refresh(): Promise<void> {
    try {
      const newer = await this.#rollout?.newer();
      if (newer !== undefined) this.record = newer;
    } catch (error) {
      this.core.server.log.warn(`thread ${this.id} could not be read again; it is shown as last read`, error);
    }
  }

  endWriting(): void {
    this.#rollout?.end();
    this.#indexed();
    this.core.threads.rest(this);
  }

  /** Stores lines atomically and folds them into the record. */
  write(lines: readonly NewLine[]): void {
    const all = this.stored || this.ephemeral ? lines : this.#withFirst(lines);
    this.#rollout?.append(all);
    this.take(all);
  }

  /** Folds lines into the record: stored ones, or an end that could not be stored. */
  take(lines: readonly NewLine[]): void {
    const now = Date.now();
    for (const line of lines) applyLine(this.record, line, now);
  }

  /** Stores lines outside of a turn. */
  writeNow(lines: readonly NewLine[]): void {
    this.beginWriting();
    try {
      this.write(lines);
    } finally {
      this.endWriting();
    }
  }

  /** A promise while something that was written is not stored for good; see {@link ThreadStore.stored}. */
  settled(): Promise<void> | undefined {
    return this.ephemeral ? undefined : this.core.store.stored(this.id);
  }

  /** True when there is a file: the first event makes it. */
  get stored(): boolean {
    return this.#rollout?.isMade === true;
  }

  /** Makes the file of a thread without events. */
  materialize(): void {
    if (!this.ephemeral && !this.stored) this.writeNow([]);
  }

  /** Adds to the model's history, without a turn. */
  inject(items: readonly ResponseItem[]): void {
    if (this.active) this.active.injected = true;
    this.writeNow(items.map((payload) => ({ type: "response_item", payload })));
  }

  setGitInfo(gitInfo: GitInfo): void {
    this.record.gitInfo = gitInfo;
    if (this.stored) this.writeNow([event({ kind: "git_info", gitInfo })]);
  }

  /** All turns, including the running one. */
  shownTurns(): Turn[] {
    return this.record.turns;
  }

  join(connection: Client): void {
    this.subscribers.add(connection, () => this.leave(connection));
  }

  /** False when the connection was not subscribed. */
  leave(connection: Client): boolean {
    const listened = this.subscribers.delete(connection);
    this.core.threads.rest(this);
    return listened;
  }

  /** True without subscribers and running work. */
  get isResting(): boolean {
    return (
      this.subscribers.size === 0 && this.active === undefined && (this.#toolbox?.terminals.list().length ?? 0) === 0
    );
  }

  event(payload: ThreadEvent): void {
    this.write([event(payload)]);
  }

  startItem(turnId: string, item: ThreadItem): void {
    const started = begun(item);
    this.event({ kind: "item_started", turnId, item: started });
    this.#notifyStarted(turnId, started);
  }

  completeItem(turnId: string, item: ThreadItem): void {
    const completed = over(item);
    this.event({ kind: "item_completed", turnId, item: completed });
    this.#notifyCompleted(turnId, completed);
  }

  /** Starts and completes a momentary item, and stores the model's view of it. */
  showItem(turnId: string, item: ThreadItem, seen: readonly ResponseItem[] = []): void {
    const [started, completed] = [begun(item), over(item)];
    this.write([
      event({ kind: "item_started", turnId, item: started }),
      event({ kind: "item_completed", turnId, item: completed }),
      ...seen.map((payload) => ({ type: "response_item" as const, payload, turnId })),
    ]);
    this.#notifyStarted(turnId, started);
    this.#notifyCompleted(turnId, completed);
  }

  #notifyStarted(turnId: string, item: ThreadItem & { readonly startedAtMs: number }): void {
    this.notify("item/started", { item, threadId: this.id, turnId, startedAtMs: item.startedAtMs });
  }

  #notifyCompleted(turnId: string, item: ThreadItem & { readonly completedAtMs: number }): void {
    this.notify("item/completed", { item, threadId: this.id, turnId, completedAtMs: item.completedAtMs });
  }

  notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void {
    this.observer?.(method, params);
    this.subscribers.notify(method, params);
  }

  /** A promise while some subscriber has much unread. */
  drained(): Promise<void> | undefined {
    return this.subscribers.drained();
  }

  /** Sends the diff of a turn if it has changed since it was sent. */
  finishDiff(turnId: string): void {
    this.#toolbox?.finishDiff(turnId);
  }

  setStatus(status: ThreadStatus): void {
    this.#status = status;
    this.core.server.broadcast("thread/status/changed", { threadId: this.id, status });
  }

  /** Marks the thread as waiting until the returned function is called. */
  hold(flag: ThreadActiveFlag, signal: AbortSignal): () => void {
    return this.#waits.hold(flag, signal);
  }

  /** Ends the running turn and every process. Idempotent. */
  close(): Promise<void> {
    this.closing = true;
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.features.closing();
    await this.active?.interrupt("the thread is closing");
    await this.features.close();
    await this.#toolbox?.close();
    this.questions.close();
    this.subscribers.clear();
  }

  /** The state from before the file was made, above all the settings, so that reopening gives no more rights. */
  #withFirst(lines: readonly NewLine[]): NewLine[] {
    const { gitInfo } = this.record;
    const first = gitInfo ? [event({ kind: "git_info", gitInfo })] : [];
    // A turn begins with them anyway.
    if (!lines.some(isSettings)) first.push(event({ kind: "settings", settings: this.settings }));
    return [...first, ...lines];
  }

  #indexed(): void {
    if (!this.ephemeral) this.core.store.changed(this.record);
  }
}

const isSettings = (line: NewLine): boolean => line.type === "thread_event" && line.payload.kind === "settings";

function begun<Item extends ThreadItem>(item: Item) {
  return { ...item, startedAtMs: item.startedAtMs ?? Date.now(), completedAtMs: null };
}

function over<Item extends ThreadItem>(item: Item) {
  const completedAtMs = Date.now();
  return { ...item, startedAtMs: item.startedAtMs ?? completedAtMs, completedAtMs };
}
