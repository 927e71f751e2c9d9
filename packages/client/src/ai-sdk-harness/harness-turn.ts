import type { LanguageModelV3ToolCall } from "@ai-sdk/provider";
import { toCallError } from "../ai-sdk/call-error.ts";
import { PartTranslator } from "../ai-sdk/part-translator.ts";
import type { BridgedCall, ToolBridge } from "../ai-sdk/tool-bridge.ts";
import { UsageMeter } from "../ai-sdk/usage-meter.ts";
import type { TurnHandle } from "../turn/turn-handle.ts";
import type { ContinueOptions, HarnessTurnControl, HarnessWarning, HostToolResult } from "./harness-types.ts";
import { toOutput } from "./host-tools.ts";
import { PartSink, toHarnessPart } from "./part-sink.ts";
import type { AskedApproval, TurnApprovals } from "./turn-approvals.ts";

/** After a call of a tool of the host, the wait for others of the same response: they arrive within a few milliseconds. */
const furtherCallsMs = 25;

/** The wait for the item that an approval is about: the server announces it before, on another path. */
const earlyMs = 100;

/** Options of a turn. */
export interface HarnessTurnOptions {
  readonly harnessId: string;
  readonly threadId: string;
  readonly bridge: ToolBridge;
  readonly approvals: TurnApprovals;
  readonly modelId: string | undefined;
  readonly warnings: readonly HarnessWarning[];
  /** True if the host had the thread compacted since its last turn. */
  readonly isCompacted: boolean;
  /** The form of the answer, where it is not the model's own text. */
  readonly reshape: ((text: string) => string) | undefined;
  readonly isAnswerOnly: boolean;
  /** Starts the turn; the signal interrupts it. */
  run(signal: AbortSignal): TurnHandle;
}

type Listener = Pick<ContinueOptions, "emit" | "abortSignal">;

interface Attached {
  readonly control: HarnessTurnControl;
  resolve(): void;
  reject(error: unknown): void;
  unwatch(): void;
}

/** A turn of Codex as a host of the harness sees it: in one stream, or in several with answers of the host between them. */
export class HarnessTurn {
  readonly #options: HarnessTurnOptions;
  readonly #turn: TurnHandle;
  readonly #life = new AbortController();
  readonly #sink: PartSink;
  readonly #translator: PartTranslator;
  #attached: Attached;
  readonly #calls: LanguageModelV3ToolCall[] = [];
  #moreCalls: ReturnType<typeof setTimeout> | undefined;
  /** Calls that the host has not answered: tools by id. */
  readonly #unanswered = new Map<string, string>();
  /** Approvals whose call was not sent yet. */
  readonly #early = new Set<AskedApproval>();
  /** Calls that the host was asked about. It ignores a second question about one. */
  readonly #askedAbout = new Set<string>();
  /** Approvals with a call of their own: tools by id. */
  readonly #standIns = new Map<string, string>();
  #outcome: { readonly error?: unknown } | undefined;
  /** Resolves when the turn is over, however it ended. */
  readonly ended: Promise<void>;

  constructor(options: HarnessTurnOptions, listener: Listener) {
    this.#options = options;
    const { bridge, approvals, warnings, modelId } = options;
    const usage = new UsageMeter();
    this.#sink = new PartSink(usage, listener.emit);
    const bridged = new Set(bridge.tools.map(({ name }) => name));
    this.#translator = new PartTranslator({
      usage,
      reshape: options.reshape,
      isAnswerOnly: options.isAnswerOnly,
      isBridged: (name) => bridged.has(name),
      emit: (part) => {
        const own = toHarnessPart(part, options.harnessId);
        if (!own) return;
        this.#sink.push(own);
        if (own.type !== "tool-call") return;
        for (const asked of [...this.#early]) if (asked.itemId === own.toolCallId) this.#askEarly(asked);
      },
    });
    bridge.onCall = (call) => this.#called(call);
    approvals.onAsk = (asked) => this.#asked(asked);
    this.#attached = this.#attach(listener);
    this.#sink.push({ type: "stream-start", warnings: [...warnings], ...(modelId !== undefined && { modelId }) });
    if (options.isCompacted) this.#compacted("manual");
    this.#turn = options.run(this.#life.signal);
    this.ended = this.#pump();
  }

  /** The host's way to answer. */
  get control(): HarnessTurnControl {
    return this.#attached.control;
  }

  /** True when the host still owes an answer, so that the end of the turn waits in its next stream. */
  get isAwaited(): boolean {
    return this.#sink.isHeld;
  }

  /** Continues in another stream; the one before is over. */
  continue(listener: Listener): HarnessTurnControl {
    this.#leave();
    this.#attached = this.#attach(listener);
    this.#sink.attach(listener.emit);
    this.#settle();
    return this.#attached.control;
  }

  /** Interrupts the turn. The host's stream ends without an error. */
  async suspend(): Promise<void> {
    this.#leave();
    this.#sink.hold();
    this.#life.abort(new Error("The turn was suspended"));
    this.#options.bridge.fail("The turn was suspended");
    await this.ended;
  }

  #attach({ abortSignal }: Listener): Attached {
    let [resolve, reject] = [(): void => undefined, (_: unknown): void => undefined];
    const done = new Promise<void>((onDone, onError) => {
      [resolve, reject] = [onDone, onError];
    });
    done.catch(() => undefined);
    const abort = () => {
      this.#life.abort(abortSignal?.reason);
      this.#options.bridge.fail("The turn was aborted");
    };
    if (abortSignal?.aborted) abort();
    abortSignal?.addEventListener("abort", abort, { once: true });
    const control: HarnessTurnControl = {
      submitToolResult: async (result) => this.#answer(result),
      submitToolApproval: async ({ approvalId, approved }) => this.#approve(approvalId, approved),
      submitUserMessage: (text) => this.#turn.steer(text),
      done,
    };
    return { control, resolve, reject, unwatch: () => abortSignal?.removeEventListener("abort", abort) };
  }

  #leave(): void {
    this.#attached.unwatch();
    this.#attached.resolve();
  }

  async #pump(): Promise<void> {
    try {
      for await (const event of this.#turn) {
        this.#translator.take(event);
        if (event.type === "item.completed" && event.item.type === "contextCompaction") this.#compacted("auto");
      }
      const { status, items } = await this.#turn;
      // Events that were missed are made up for.
      for (const item of items) this.#translator.complete(item);
      this.#translator.finish();
      const { threadId, harnessId } = this.#options;
      const metadata = { [harnessId]: { threadId, turnId: await this.#turn.id } };
      this.#sink.finish(status === "completed" ? "stop" : "other", status, metadata);
      this.#outcome = {};
    } catch (error) {
      this.#translator.finish();
      this.#outcome = { error: this.#life.signal.aborted ? this.#life.signal.reason : toCallError(error) };
    }
    clearTimeout(this.#moreCalls);
    this.#settle();
  }

  /** Codex keeps its summary to itself. */
  #compacted(trigger: "manual" | "auto"): void {
    this.#sink.push({ type: "compaction", trigger, summary: "" });
  }

  /** Ends the stream at hand with the turn. */
  #settle(): void {
    if (!this.#outcome || (this.#sink.isHeld && !this.#life.signal.aborted)) return;
    this.#attached.unwatch();
    if ("error" in this.#outcome) this.#attached.reject(this.#outcome.error);
    else this.#attached.resolve();
  }

  #called({ callId, toolName, input }: BridgedCall): void {
    this.#calls.push({ type: "tool-call", toolCallId: callId, toolName, input: JSON.stringify(input ?? {}) });
    clearTimeout(this.#moreCalls);
    this.#moreCalls = setTimeout(() => {
      const calls = this.#calls.splice(0);
      for (const { toolCallId, toolName } of calls) this.#unanswered.set(toolCallId, toolName);
      this.#sink.callHost(calls);
    }, furtherCallsMs);
  }

  #answer(result: HostToolResult): void {
    const { toolCallId, output, isError } = result;
    const { bridge } = this.#options;
    if (!bridge.waiting.includes(toolCallId)) {
      if (this.#sink.has(toolCallId)) return;
      // A call of a turn that another session began: the model asked for the result, and gets it in words.
      void this.#turn
        .steer(`The result of the tool call ${toolCallId}: ${JSON.stringify(output)}`)
        .catch(() => undefined);
      return;
    }
    const toolName = this.#unanswered.get(toolCallId) ?? "";
    this.#unanswered.delete(toolCallId);
    bridge.answer(toolCallId, { output: toOutput(result) });
    if (this.#unanswered.size === 0) this.#sink.release();
    // The host shows a result once it comes back.
    const value = JSON.parse(JSON.stringify(output ?? null));
    this.#sink.push({ type: "tool-result", toolCallId, toolName, result: value, isError: isError ?? false });
  }

  #asked(asked: AskedApproval): void {
    if (this.#sink.has(asked.itemId)) {
      this.#request(asked);
      return;
    }
    this.#early.add(asked);
    setTimeout(() => this.#askEarly(asked), earlyMs);
  }

  #askEarly(asked: AskedApproval): void {
    if (this.#early.delete(asked)) this.#request(asked);
  }

  /** Ids are the model's: a call that says something else, or has its result, must not stand for what is approved. */
  #request({ approvalId, itemId, toolName, input, isSaidBy }: AskedApproval): void {
    let toolCallId = itemId;
    if (this.#askedAbout.has(itemId) || !isSaidBy(this.#sink.openInput(itemId))) {
      toolCallId = approvalId;
      const call = { type: "tool-call" as const, toolCallId, toolName, input: JSON.stringify(input) };
      this.#sink.push({ ...call, providerExecuted: true, dynamic: true });
      this.#standIns.set(approvalId, toolName);
    }
    this.#askedAbout.add(toolCallId);
    this.#sink.push({ type: "tool-approval-request", approvalId, toolCallId });
  }

  #approve(approvalId: string, approved: boolean): void {
    this.#options.approvals.answer(approvalId, approved);
    const toolName = this.#standIns.get(approvalId);
    if (toolName === undefined) return;
    this.#standIns.delete(approvalId);
    this.#sink.push({ type: "tool-result", toolCallId: approvalId, toolName, result: { approved }, dynamic: true });
  }
}
