import type {
  CodexErrorInfo,
  RateLimitSnapshot,
  ReasoningEffort,
  ReasoningSummary,
  ResponseItem,
  TokenUsageBreakdown,
  Verbosity,
} from "@quire/protocol";

/** A complete request to a model: no provider keeps state between requests. */
export interface ModelRequest {
  readonly model: string;
  /** Instructions and context as messages, then the history. */
  readonly input: readonly ResponseItem[];
  /** Tools in the format of the Responses API. */
  readonly tools: readonly ToolSpec[];
  /** `none`: the model sees the tools and must not call them. Default: it decides. */
  readonly toolChoice?: "none" | undefined;
  readonly effort: ReasoningEffort | null;
  readonly summary: ReasoningSummary | null;
  /** JSON Schema of the final message. */
  readonly outputSchema: unknown;
  readonly serviceTier: string | null;
  /** The most tokens that the answer may have, where a limit of costs needs the provider to hold it. */
  readonly maxOutputTokens?: number | undefined;
  /** If left out, the model's default. */
  readonly verbosity?: Verbosity | null | undefined;
  readonly threadId: string;
  /** The root of the thread's tree of agents. Default: the thread itself. */
  readonly sessionId?: string | undefined;
  readonly turnId: string;
  readonly cwd: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An entry of the request's `tools`. */
export type ToolSpec = { readonly type: string; readonly [key: string]: unknown };

/**
 * A notice of an endpoint beside its answer: the model that answered, a verification for the user, a moderation result,
 * an answer held back for checks, a plainer form of requests, or a new sign-in at the provider.
 */
export type EndpointNotice =
  | { readonly kind: "served"; readonly model: string }
  | { readonly kind: "verification" }
  | { readonly kind: "moderation"; readonly metadata: unknown }
  | {
      readonly kind: "buffering";
      readonly useCases: string[];
      readonly reasons: string[];
      /** A model that would answer at once. */
      readonly fasterModel: string | null;
    }
  /** The provider has refused OpenAI's dialect, and is asked in the plain one from now on. */
  | { readonly kind: "plainer"; readonly provider: { readonly id: string; readonly name: string } }
  /** The provider has an outage or a limit, and another one is asked. */
  | {
      readonly kind: "fallback";
      /** The models. */
      readonly from: string;
      readonly to: string;
      /** The name of the provider that is asked now. */
      readonly provider: string;
      readonly reason: string;
    }
  | { readonly kind: "recovery"; readonly phase: "started" | "completed"; readonly provider: string };

/**
 * Receives a response by plain calls: thousands of deltas cost no promise each. Items are those of the Responses API;
 * an item's deltas come between its `itemAdded` and `itemDone`.
 */
export interface ModelSink {
  itemAdded(item: ResponseItem): void;
  itemDone(item: ResponseItem): void;
  textDelta(itemId: string, delta: string): void;
  reasoningSummaryPart(itemId: string, index: number): void;
  reasoningSummaryDelta(itemId: string, index: number, delta: string): void;
  reasoningDelta(itemId: string, index: number, delta: string): void;
  /** Arguments of a function while they stream; sinks without it are spared them. */
  argumentsDelta?(itemId: string, delta: string): void;
  /** Input of a custom tool while it streams. */
  toolInputDelta(itemId: string, callId: string | null, delta: string): void;
  rateLimits(snapshot: RateLimitSnapshot): void;
  notice?(notice: EndpointNotice): void;
  /** An attempt failed and another follows. Discard what the failed attempt delivered. */
  retrying(error: ModelError, attempt: number, attempts: number): void;
  /** Awaited between pieces of the stream, so that a slow client slows the model down. */
  ready(): Promise<void> | undefined;
}

/** The end of a successful response. */
export interface ModelResult {
  readonly responseId: string;
  readonly usage: TokenUsageBreakdown | null;
  /** False when the model wants to continue though it called no tool. */
  readonly endTurn: boolean | null;
  /** In US dollars, where the price is known. */
  readonly cost?: number | undefined;
}

/** Answers requests. Retries are its own business; what it rejects with is final: a {@link ModelError} or the signal's reason. */
export interface ModelProvider {
  readonly id: string;
  stream(request: ModelRequest, sink: ModelSink, signal: AbortSignal): Promise<ModelResult>;
}

/** The reason why a model gave no answer, in the protocol's terms. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly info: CodexErrorInfo;
  readonly details: string | null;
  /** The usage of the failed attempt, if the provider reports it. */
  result: ModelResult | undefined;

  constructor(message: string, info: CodexErrorInfo, details: string | null = null) {
    super(message);
    this.info = info;
    this.details = details;
  }
}
