import type { RateLimitSnapshot, ResponseItem } from "@quire/protocol";
import type { ProviderConfig } from "../../src/config/effective-config.ts";
import type { ModelError, ModelRequest, ModelSink } from "../../src/model/model-provider.ts";

/** A sink that remembers, in order, what it was told. */
export class RecordingSink implements ModelSink {
  readonly calls: unknown[][] = [];
  readonly retries: { error: ModelError; attempt: number; attempts: number }[] = [];
  readonly limits: RateLimitSnapshot[] = [];
  text = "";
  /** What `ready` gives. */
  hold: () => Promise<void> | undefined = () => undefined;

  itemAdded(item: ResponseItem): void {
    this.calls.push(["added", item]);
  }
  itemDone(item: ResponseItem): void {
    this.calls.push(["done", item]);
  }
  textDelta(itemId: string, delta: string): void {
    this.text += delta;
    this.calls.push(["text", itemId, delta]);
  }
  reasoningSummaryPart(itemId: string, index: number): void {
    this.calls.push(["summaryPart", itemId, index]);
  }
  reasoningSummaryDelta(itemId: string, index: number, delta: string): void {
    this.calls.push(["summary", itemId, index, delta]);
  }
  reasoningDelta(itemId: string, index: number, delta: string): void {
    this.calls.push(["reasoning", itemId, index, delta]);
  }
  toolInputDelta(itemId: string, callId: string | null, delta: string): void {
    this.calls.push(["toolInput", itemId, callId, delta]);
  }
  rateLimits(snapshot: RateLimitSnapshot): void {
    this.limits.push(snapshot);
  }
  retrying(error: ModelError, attempt: number, attempts: number): void {
    this.retries.push({ error, attempt, attempts });
  }
  ready(): Promise<void> | undefined {
    return this.hold();
  }

  /** The completed items. */
  get items(): ResponseItem[] {
    return this.calls.filter(([kind]) => kind === "done").map(([, item]) => item as ResponseItem);
  }
}

/** A provider's row with nothing special in it and no retries. */
export function providerRow(baseUrl: string, rest: Partial<ProviderConfig> = {}): ProviderConfig {
  return {
    id: "mock",
    name: "mock",
    baseUrl,
    envKey: null,
    envKeyInstructions: null,
    bearerToken: null,
    headers: {},
    envHeaders: {},
    queryParams: {},
    requestMaxRetries: 0,
    streamMaxRetries: 0,
    streamIdleTimeoutMs: 300_000,
    requiresOpenaiAuth: false,
    ...rest,
  };
}

/** A request with one user message. */
export function modelRequest(text: string, rest: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "mock-model",
    input: [{ type: "message", role: "user", content: [{ type: "input_text", text }] }],
    tools: [],
    effort: null,
    summary: null,
    outputSchema: undefined,
    serviceTier: null,
    threadId: "thread-1",
    turnId: "turn-1",
    cwd: "/work",
    metadata: {},
    ...rest,
  };
}
