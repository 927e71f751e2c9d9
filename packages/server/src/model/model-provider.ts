import type {
  CodexErrorInfo,
  RateLimitSnapshot,
  ReasoningEffort,
  ReasoningSummary,
  ResponseItem,
  TokenUsageBreakdown,
  Verbosity,
} from "@quire/protocol";

/** One request to a model, complete: no provider keeps state between requests. */
export interface ModelRequest {
  readonly model: string;
  /** Instructions and context as messages, then the history. */
  readonly input: readonly ResponseItem[];
  /** Tools as the Responses API spells them. */
  readonly tools: readonly ToolSpec[];
  readonly effort: ReasoningEffort | null;
  readonly summary: ReasoningSummary | null;
  /** JSON Schema of the final message. */
  readonly outputSchema: unknown;
  readonly serviceTier: string | null;
  /** How much the model shall say; left out, the model's own default holds. */
  readonly verbosity?: Verbosity | null | undefined;
  readonly threadId: string;
  /** The root of the tree of agents that the thread belongs to; the thread itself unless given. */
  readonly sessionId?: string | undefined;
  readonly turnId: string;
  readonly cwd: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** One entry of the request's `tools`. */
export type ToolSpec = { readonly type: string; readonly [key: string]: unknown };

/**
 * What an endpoint says beside its answer: which model has given it, what the user should prove, what a moderator found,
 * that the answer is held back while it is checked; and that the user is being signed in again at the provider.
 */
export type EndpointNotice =
  | { readonly kind: "served"; readonly model: string }
  | { readonly kind: "verification" }
  | { readonly kind: "moderation"; readonly metadata: unknown }
  | {
      readonly kind: "buffering";
      readonly useCases: string[];
      readonly reasons: string[];
      /** One that would answer at once. */
      readonly fasterModel: string | null;
    }
  | { readonly kind: "recovery"; readonly phase: "started" | "completed"; readonly provider: string };

/**
 * Where a provider delivers, by plain calls: a stream of many thousand deltas costs no promise each.
 * Items come as they are in the Responses API; an item's deltas stand between its `itemAdded` and `itemDone`.
 */
export interface ModelSink {
  itemAdded(item: ResponseItem): void;
  itemDone(item: ResponseItem): void;
  textDelta(itemId: string, delta: string): void;
  reasoningSummaryPart(itemId: string, index: number): void;
  reasoningSummaryDelta(itemId: string, index: number, delta: string): void;
  reasoningDelta(itemId: string, index: number, delta: string): void;
  /** Input of a custom tool while it streams. */
  toolInputDelta(itemId: string, callId: string | null, delta: string): void;
  rateLimits(snapshot: RateLimitSnapshot): void;
  /** For a sink that passes such things on. */
  notice?(notice: EndpointNotice): void;
  /** An attempt failed and another follows: `attempt` of `attempts`. What the failed attempt delivered is void. */
  retrying(error: ModelError, attempt: number, attempts: number): void;
  /** Awaited between pieces of the stream, so that a client that reads slowly slows the model down. */
  ready(): Promise<void> | undefined;
}

/** How a response ended well. */
export interface ModelResult {
  readonly responseId: string;
  readonly usage: TokenUsageBreakdown | null;
  /** The model says that it is not done though it called no tool. */
  readonly endTurn: boolean | null;
}

/** Answers requests. Retries are its own business; what it rejects with is final: a {@link ModelError} or the signal's reason. */
export interface ModelProvider {
  readonly id: string;
  stream(request: ModelRequest, sink: ModelSink, signal: AbortSignal): Promise<ModelResult>;
}

/** Why a model gave no answer, in the protocol's words. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly info: CodexErrorInfo;
  readonly details: string | null;
  /** What was paid for all the same, where the provider says so. */
  result: ModelResult | undefined;

  constructor(message: string, info: CodexErrorInfo, details: string | null = null) {
    super(message);
    this.info = info;
    this.details = details;
  }
}
