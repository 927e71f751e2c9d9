import { splitText } from "../mock/split-text.ts";
import type { Outcome } from "./outcome.ts";
import {
  agentMessage,
  approvalParams,
  commandItem,
  fileChangeItem,
  type Item,
  tokenUsage,
  userMessage,
} from "./shapes.ts";
import type { TurnScript, TurnStep } from "./turn-script.ts";

/** Services that a turn needs from its server. */
export interface TurnStage {
  readonly threadId: string;
  readonly turnId: string;
  readonly cwd: string;
  readonly input: unknown;
  /** Aborted when the client interrupts the turn or leaves. */
  readonly signal: AbortSignal;
  nextId(prefix: string): string;
  notify(method: string, params: Readonly<Record<string, unknown>>): void;
  /** Sends a server request. Resolves with the client's answer, also when that is an error. */
  ask(method: string, params: Readonly<Record<string, unknown>>): Promise<{ requestId: number; outcome: Outcome }>;
  /** Resolves when the client has read enough. */
  drain(): Promise<void>;
}

/** Plays a turn in the order of the real server's events, from `turn/started` to `turn/completed`. */
export async function playTurn(stage: TurnStage, script: TurnScript): Promise<void> {
  const player = new TurnPlayer(stage, script);
  await player.play();
}

class TurnPlayer {
  readonly #stage: TurnStage;
  readonly #script: TurnScript;
  readonly #startedAt = Date.now();
  #responses = 0;
  #lastMessage: Item | undefined;
  #cancelled = false;

  constructor(stage: TurnStage, script: TurnScript) {
    this.#stage = stage;
    this.#script = script;
  }

  async play(): Promise<void> {
    const { items = [], text, chunks } = this.#script;
    this.#status({ type: "active", activeFlags: [] });
    this.#stage.notify("turn/started", { threadId: this.#stage.threadId, turn: this.#turn("inProgress") });
    this.#whole(userMessage(this.#stage.nextId("item"), this.#stage.input));
    const last: TurnStep[] = text === undefined ? [] : [{ type: "message", text, ...(chunks && { chunks }) }];
    for (const step of [...items, ...last]) {
      if (this.#stopped) break;
      await this.#step(step);
    }
    this.#complete();
  }

  get #stopped(): boolean {
    return this.#cancelled || this.#stage.signal.aborted;
  }

  async #step(step: TurnStep): Promise<void> {
    switch (step.type) {
      case "message":
        await this.#message(step.text, step.chunks ?? 1);
        return this.#usage();
      case "reasoning":
        return this.#reasoning(step.summary);
      case "command":
        await this.#command(step);
        return this.#usage();
      case "fileChange":
        await this.#fileChange(step);
        return this.#usage();
      case "item":
        return this.#whole(step.item as Item);
      case "notify":
        return this.#notify(step.method, step.params ?? {});
      case "request":
        await this.#ask(step.method, step.params ?? {});
        return;
      case "wait":
        await Promise.race([step.until, aborted(this.#stage.signal)]).then(undefined, () => undefined);
    }
  }

  async #message(text: string, chunks: number): Promise<void> {
    const id = this.#stage.nextId("msg");
    this.#started(agentMessage(id, ""));
    for (const delta of splitText(text, chunks)) {
      if (this.#stopped) return;
      this.#notify("item/agentMessage/delta", { itemId: id, delta });
      await this.#stage.drain();
    }
    this.#lastMessage = agentMessage(id, text);
    this.#completed(this.#lastMessage);
  }

  #reasoning(summary: readonly string[]): void {
    const id = this.#stage.nextId("rs");
    this.#started({ type: "reasoning", id, summary: [], content: [] });
    for (const [summaryIndex, delta] of summary.entries()) {
      this.#notify("item/reasoning/summaryPartAdded", { itemId: id, summaryIndex });
      this.#notify("item/reasoning/summaryTextDelta", { itemId: id, delta, summaryIndex });
    }
    this.#completed({ type: "reasoning", id, summary, content: [] });
  }

  async #command(step: Extract<TurnStep, { type: "command" }>): Promise<void> {
    const { command, output = "", exitCode = 0, approval } = step;
    const id = this.#stage.nextId("call");
    const running = commandItem({ id, script: command, cwd: this.#stage.cwd, status: "inProgress" });
    if (approval) this.#status({ type: "active", activeFlags: ["waitingOnApproval"] });
    this.#started(running);
    if (approval && !(await this.#approve("item/commandExecution/requestApproval", running))) return;
    if (output) this.#notify("item/commandExecution/outputDelta", { itemId: id, delta: output });
    const status = exitCode === 0 ? "completed" : "failed";
    this.#completed({ ...running, status, aggregatedOutput: output || null, exitCode, durationMs: 1 });
  }

  async #fileChange(step: Extract<TurnStep, { type: "fileChange" }>): Promise<void> {
    const running = fileChangeItem(this.#stage.nextId("call"), step.changes);
    this.#started(running);
    if (step.approval) {
      this.#status({ type: "active", activeFlags: ["waitingOnApproval"] });
      if (!(await this.#approve("item/fileChange/requestApproval", running))) return;
    }
    this.#completed({ ...running, status: "completed" });
  }

  /** Asks, and closes the item unless it may continue. `cancel` interrupts the turn as well. */
  async #approve(method: string, item: Item): Promise<boolean> {
    const decision = decisionOf(await this.#ask(method, approvalParams(item)));
    if (this.#stage.signal.aborted) return false;
    this.#status({ type: "active", activeFlags: [] });
    if (decision !== "decline" && decision !== "cancel" && decision !== undefined) return true;
    this.#completed({ ...item, status: decision === undefined ? "failed" : "declined" });
    this.#cancelled = decision === "cancel";
    return false;
  }

  async #ask(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { threadId, turnId, signal } = this.#stage;
    const asked = this.#stage.ask(method, { threadId, turnId, ...params });
    const reply = await Promise.race([asked, aborted(signal)]);
    if (!reply) return undefined;
    this.#stage.notify("serverRequest/resolved", { threadId, requestId: reply.requestId });
    return "result" in reply.outcome ? reply.outcome.result : undefined;
  }

  #complete(): void {
    const error = this.#stopped ? undefined : this.#script.error;
    const { threadId, turnId } = this.#stage;
    if (error) {
      const { message, codexErrorInfo = null } = error;
      this.#status({ type: "systemError" });
      const details = { message, codexErrorInfo, additionalDetails: null };
      this.#stage.notify("error", { error: details, willRetry: false, threadId, turnId });
      this.#stage.notify("turn/completed", { threadId, turn: { ...this.#turn("failed"), error: details } });
      return;
    }
    this.#status({ type: "idle" });
    this.#stage.notify("turn/completed", { threadId, turn: this.#turn(this.#stopped ? "interrupted" : "completed") });
  }

  #turn(status: string): Record<string, unknown> {
    const id = this.#stage.turnId;
    const over = status !== "inProgress";
    return {
      id,
      rootTurnId: id,
      items: this.#lastMessage ? [this.#lastMessage] : [],
      itemsView: over ? "summary" : "notLoaded",
      status,
      error: null,
      startedAt: Math.floor(this.#startedAt / 1000),
      completedAt: over ? Math.floor(Date.now() / 1000) : null,
      durationMs: over ? Date.now() - this.#startedAt : null,
    };
  }

  #usage(): void {
    if (this.#stopped) return;
    this.#notify("thread/tokenUsage/updated", { tokenUsage: tokenUsage(this.#script.usage ?? {}, ++this.#responses) });
  }

  #whole(item: Item): void {
    this.#started(item);
    this.#completed(item);
  }

  #started(item: Item): void {
    this.#notify("item/started", { item, startedAtMs: Date.now() });
  }

  #completed(item: Item): void {
    this.#notify("item/completed", { item, completedAtMs: Date.now() });
  }

  #status(status: Readonly<Record<string, unknown>>): void {
    this.#stage.notify("thread/status/changed", { threadId: this.#stage.threadId, status });
  }

  #notify(method: string, params: Readonly<Record<string, unknown>>): void {
    this.#stage.notify(method, { threadId: this.#stage.threadId, turnId: this.#stage.turnId, ...params });
  }
}

function decisionOf(answer: unknown): unknown {
  return typeof answer === "object" && answer !== null && "decision" in answer ? answer.decision : undefined;
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
