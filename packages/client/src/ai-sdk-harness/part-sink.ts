import type { LanguageModelV3StreamPart, LanguageModelV3ToolCall, LanguageModelV3Usage } from "@ai-sdk/provider";
import type { UsageMeter } from "../ai-sdk/usage-meter.ts";
import type { HarnessMetadata, HarnessPart } from "./harness-types.ts";

/** Marks the place from which on the host takes no more before it has answered. */
const wait = "wait";

/** Parts that begin a response of the model when the calls of the one before have their results. */
const opening: ReadonlySet<string> = new Set(["text-start", "reasoning-start", "tool-call"]);

/**
 * Sends parts to the host. The host takes no more of a stream in which something waits for it, so parts are held from
 * there on, until it has answered or continues with another stream. Only what the server sends while it waits is held.
 */
export class PartSink {
  readonly #usage: UsageMeter;
  #emit: (part: HarnessPart) => void;
  #held: (HarnessPart | typeof wait)[] = [];
  #isHeld = false;
  /** Calls without a result. */
  readonly #open = new Set<string>();
  /** The inputs of all calls, as JSON. */
  readonly #calls = new Map<string, string>();
  #callsInStep = 0;
  #hasResults = false;
  #total: LanguageModelV3Usage | undefined;

  constructor(usage: UsageMeter, emit: (part: HarnessPart) => void) {
    this.#usage = usage;
    this.#emit = emit;
  }

  /** True while the host owes an answer. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** True if the call was sent. */
  has(toolCallId: string): boolean {
    return this.#calls.has(toolCallId);
  }

  /** The input of a call that has no result yet. */
  openInput(toolCallId: string): unknown {
    return this.#open.has(toolCallId) ? JSON.parse(this.#calls.get(toolCallId) ?? "null") : undefined;
  }

  /** Sends a part, after the end of the step before if it begins another. */
  push(part: HarnessPart): void {
    if (opening.has(part.type) && this.#hasResults && this.#open.size === 0) this.endStep("tool-calls");
    if (part.type === "tool-call") {
      this.#calls.set(part.toolCallId, part.input);
      this.#open.add(part.toolCallId);
      this.#callsInStep++;
    } else if (part.type === "tool-result") {
      this.#open.delete(part.toolCallId);
      this.#hasResults = true;
    }
    this.#send(part);
    if (part.type === "tool-approval-request") this.#send(wait);
  }

  /** Sends calls for the host to run, and waits for it. The count lets it see all before it asks anybody. */
  callHost(calls: readonly LanguageModelV3ToolCall[]): void {
    if (this.#hasResults && this.#open.size === 0) this.endStep("tool-calls");
    const stepToolCallCount = this.#callsInStep + calls.length;
    for (const call of calls) this.push({ ...call, stepToolCallCount });
    this.#send(wait);
  }

  /** Ends a step. */
  endStep(unified: "tool-calls" | "stop" | "other", raw?: string): void {
    const usage = this.#usage.take();
    this.#total = this.#total ? addUsage(this.#total, usage) : usage;
    this.#hasResults = false;
    this.#callsInStep = 0;
    this.#send({ type: "finish-step", finishReason: { unified, raw }, usage });
  }

  /** Ends the last step and the turn. */
  finish(unified: "stop" | "other", raw: string, harnessMetadata: HarnessMetadata): void {
    this.endStep(unified, raw);
    const totalUsage = this.#total ?? this.#usage.take();
    this.#send({ type: "finish", finishReason: { unified, raw }, totalUsage, harnessMetadata });
  }

  /** Holds what comes after this. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Sends what was held. It may hold again at once. */
  release(): void {
    this.#isHeld = false;
    const held = this.#held;
    this.#held = [];
    for (const part of held) this.#send(part);
  }

  /** Continues with another stream of the host. */
  attach(emit: (part: HarnessPart) => void): void {
    this.#emit = emit;
    this.#callsInStep = 0;
    this.release();
  }

  #send(part: HarnessPart | typeof wait): void {
    if (this.#isHeld) this.#held.push(part);
    else if (part === wait) this.hold();
    else this.#emit(part);
  }
}

/** A part of the provider as one of the harness; undefined for those that a harness has none for. */
export function toHarnessPart(part: LanguageModelV3StreamPart, harnessId: string): HarnessPart | undefined {
  switch (part.type) {
    case "text-start":
    case "text-delta":
    case "text-end":
    case "reasoning-start":
    case "reasoning-delta":
    case "reasoning-end": {
      const { providerMetadata, ...rest } = part;
      const own = providerMetadata?.codex as HarnessMetadata[string] | undefined;
      return { ...rest, ...(own && { harnessMetadata: { [harnessId]: own } }) };
    }
    case "tool-call":
    case "tool-result":
      return part;
    default:
      return undefined;
  }
}

const add = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);

function addUsage(a: LanguageModelV3Usage, b: LanguageModelV3Usage): LanguageModelV3Usage {
  const [input, output] = [a.inputTokens, a.outputTokens];
  return {
    inputTokens: {
      total: add(input.total, b.inputTokens.total),
      noCache: add(input.noCache, b.inputTokens.noCache),
      cacheRead: add(input.cacheRead, b.inputTokens.cacheRead),
      cacheWrite: add(input.cacheWrite, b.inputTokens.cacheWrite),
    },
    outputTokens: {
      total: add(output.total, b.outputTokens.total),
      text: add(output.text, b.outputTokens.text),
      reasoning: add(output.reasoning, b.outputTokens.reasoning),
    },
  };
}
