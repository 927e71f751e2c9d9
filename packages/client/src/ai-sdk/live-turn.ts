import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  SharedV3Warning,
} from "@ai-sdk/provider";
import { codexErrorKind } from "@quire/protocol";
import { TurnError } from "../turn/turn-error.ts";
import type { TurnEvent } from "../turn/turn-event.ts";
import type { TurnHandle } from "../turn/turn-handle.ts";
import type { TurnResult } from "../turn/turn-result.ts";
import { toCallError } from "./call-error.ts";
import { PartQueue } from "./part-queue.ts";
import { PartTranslator, type TranslatorOptions } from "./part-translator.ts";
import type { AnsweredCall } from "./prompt/read-prompt.ts";
import type { BridgedCall, ToolBridge } from "./tool-bridge.ts";
import { UsageMeter } from "./usage-meter.ts";

/** After a call of a tool, how long others of the same response are waited for: they arrive within a few milliseconds. */
const furtherCallsMs = 25;

/** The parts of a turn of the AI SDK. */
export interface LiveTurnOptions extends Pick<TranslatorOptions, "reshape" | "isAnswerOnly"> {
  readonly threadId: string;
  readonly modelId: string;
  readonly bridge: ToolBridge;
  readonly toolTimeoutMs: number;
  /** True when every raw event is passed on besides its translation. */
  readonly includeRawChunks: boolean;
  /** Starts the turn; the signal interrupts it. */
  run(signal: AbortSignal): TurnHandle;
}

/** A call of the AI SDK. */
export interface StepOptions {
  readonly signal: AbortSignal | undefined;
  readonly warnings: readonly SharedV3Warning[];
}

/**
 * A turn of Codex as the AI SDK sees it: one or more steps. A step ends with the turn, or where Codex calls a tool that
 * the AI SDK runs; then the turn waits, until {@link resume} brings the results.
 */
export class LiveTurn {
  readonly threadId: string;
  readonly #options: LiveTurnOptions;
  readonly #turn: TurnHandle;
  readonly #life = new AbortController();
  readonly #usage = new UsageMeter();
  readonly #translator: PartTranslator;
  readonly #parts = new PartQueue();
  /** Calls that a step has ended for. */
  #announced: readonly string[] = [];
  #ended: { readonly result: TurnResult } | { readonly error: unknown } | undefined;
  /** Calls that the AI SDK has not seen yet. */
  readonly #calls: LanguageModelV3ToolCall[] = [];
  #moreCalls: ReturnType<typeof setTimeout> | undefined;
  #toolTimer: ReturnType<typeof setTimeout> | undefined;
  #unwatch: () => void = () => undefined;

  constructor(options: LiveTurnOptions) {
    this.#options = options;
    this.threadId = options.threadId;
    const { bridge } = options;
    const bridged = new Set(bridge.tools.map(({ name }) => name));
    this.#translator = new PartTranslator({
      ...options,
      usage: this.#usage,
      isBridged: (name) => bridged.has(name),
      emit: (part) => this.#parts.push(part),
    });
    bridge.onCall = (call) => this.#called(call);
    this.#turn = options.run(this.#life.signal);
    // A server that does not end an aborted turn is not waited for any longer than the handle does.
    this.#turn.catch((error: unknown) => this.#life.signal.aborted && this.#finish({ error }));
    void this.#pump();
  }

  /** The id of the turn. Rejects when the turn could not be started. */
  get id(): Promise<string> {
    return this.#turn.id;
  }

  /** Resolves when the turn is over, however it ended. */
  async end(): Promise<void> {
    await this.#turn.then(undefined, () => undefined);
    clearTimeout(this.#moreCalls);
    clearTimeout(this.#toolTimer);
    this.#unwatch();
  }

  /** True when it waits for tools, between two steps. */
  get isWaiting(): boolean {
    return this.#announced.length > 0;
  }

  /** Tells whether this is the result of a call of this turn. */
  awaits({ result, threadId }: AnsweredCall): boolean {
    if (threadId !== undefined && threadId !== this.threadId) return false;
    return this.#announced.includes(result.toolCallId) && this.#options.bridge.waiting.includes(result.toolCallId);
  }

  /** Continues with the results of tools. Calls that the AI SDK has seen and has no result for have failed. */
  resume(answered: readonly AnsweredCall[]): void {
    clearTimeout(this.#toolTimer);
    const { bridge } = this.#options;
    for (const { result } of answered) bridge.answer(result.toolCallId, result);
    bridge.fail("The tool was not run", this.#announced);
    this.#announced = [];
  }

  /** Adds what the user said meanwhile. */
  steer(...input: Parameters<TurnHandle["steer"]>): Promise<void> {
    return this.#turn.steer(...input);
  }

  /** Stops the turn; tools that were waited for have failed. */
  abort(reason: unknown, message = "The call was aborted"): void {
    this.#life.abort(reason);
    this.#options.bridge.fail(message);
    this.#parts.wake();
  }

  /** The parts of one step, from its start to its finish. Throws the signal's reason where that aborts it. */
  async *step({ signal, warnings }: StepOptions): AsyncGenerator<LanguageModelV3StreamPart, void> {
    this.#watch(signal);
    const turnId = await this.#turn.id;
    const { threadId, modelId } = this.#options;
    yield { type: "stream-start", warnings: [...warnings] };
    yield { type: "response-metadata", id: turnId, modelId, timestamp: new Date() };
    for (;;) {
      const part = this.#parts.take();
      if (part) yield part;
      else if (this.#isStepOver) break;
      else await this.#parts.change();
    }
    signal?.throwIfAborted();
    const finishReason = this.#close();
    // Not what comes while these are read: that is for the next step.
    yield* this.#parts.takeAll();
    const providerMetadata = { codex: { threadId, turnId } };
    yield { type: "finish", usage: this.#usage.take(), finishReason, providerMetadata };
  }

  get #isStepOver(): boolean {
    if (this.#ended) return true;
    return this.#options.bridge.waiting.length > 0 && this.#moreCalls === undefined && !this.#life.signal.aborted;
  }

  #close(): LanguageModelV3FinishReason {
    const ended = this.#ended;
    if (!ended) {
      this.#translator.pause();
      this.#waitForTools();
      return { unified: "tool-calls", raw: undefined };
    }
    if ("error" in ended) {
      this.#translator.finish();
      this.#parts.push({ type: "error", error: toCallError(ended.error) });
      const kind = TurnError.is(ended.error) ? codexErrorKind(ended.error.codexErrorInfo) : undefined;
      return { unified: "error", raw: kind === undefined ? undefined : String(kind) };
    }
    // What a slow reader has missed is made up for.
    for (const item of ended.result.items) this.#translator.complete(item);
    this.#translator.finish();
    const { status } = ended.result;
    return { unified: status === "completed" ? "stop" : "other", raw: status };
  }

  async #pump(): Promise<void> {
    try {
      for await (const event of this.#turn) {
        this.#take(event);
        if (this.#parts.isFull) await this.#parts.room();
      }
      this.#finish({ result: await this.#turn });
    } catch (error) {
      this.#finish({ error });
    }
  }

  #finish(ended: { readonly result: TurnResult } | { readonly error: unknown }): void {
    this.#ended ??= ended;
    this.#parts.wake();
  }

  #take(event: TurnEvent): void {
    if (this.#options.includeRawChunks) this.#parts.push({ type: "raw", rawValue: event });
    this.#translator.take(event);
  }

  #called({ callId, toolName, input }: BridgedCall): void {
    const providerMetadata = { codex: { threadId: this.threadId } };
    const call = { toolCallId: callId, toolName, input: JSON.stringify(input ?? {}), providerMetadata };
    this.#calls.push({ type: "tool-call", ...call });
    clearTimeout(this.#moreCalls);
    this.#moreCalls = setTimeout(() => this.#announce(), furtherCallsMs);
  }

  /** Tells of the calls, by now after everything that happened before them. */
  #announce(): void {
    this.#moreCalls = undefined;
    for (const call of this.#calls.splice(0)) this.#parts.push(call);
    this.#parts.wake();
  }

  /** The step has ended for tools to be run. Who runs them may never come back. */
  #waitForTools(): void {
    const { toolTimeoutMs, bridge } = this.#options;
    this.#announced = bridge.waiting;
    if (!(toolTimeoutMs > 0) || toolTimeoutMs === Number.POSITIVE_INFINITY) return;
    const message = `No result came within ${toolTimeoutMs} ms (toolTimeoutMs)`;
    this.#toolTimer = setTimeout(() => this.abort(new Error(message), message), toolTimeoutMs);
  }

  /** Aborts with this signal from now on, also while tools are run. */
  #watch(signal: AbortSignal | undefined): void {
    this.#unwatch();
    const abort = () => this.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    this.#unwatch = () => signal?.removeEventListener("abort", abort);
  }
}
