import type { TokenUsageBreakdown } from "@quire/protocol";
import type { ProviderConfig } from "../../config/effective-config.ts";
import { factsOf } from "../../config/models/facts-memory.ts";
import type { ModelFacts, ModelPrices } from "../../config/models/model-facts.ts";
import {
  ModelError,
  type ModelProvider,
  type ModelRequest,
  type ModelResult,
  type ModelSink,
} from "../../model/model-provider.ts";
import { event } from "../../record/rollout-line.ts";
import type { Thread } from "../../thread/thread.ts";
import { costLedger } from "./cost-ledger.ts";
import {
  assumedOutput,
  type CostLimits,
  costLimits,
  dearestInput,
  heldOutput,
  holdLimits,
  leftOf,
  outputCost,
  type Spent,
  stoppedByLimit,
} from "./cost-limits.ts";
import { ResponseMeter } from "./response-meter.ts";

const free: ModelPrices = { input: 0, output: 0 };

/** A provider whose requests are paid: each is counted, and none is sent or goes on that may pass a limit. */
export function meteredProvider(thread: Thread, config: ProviderConfig, provider: ModelProvider): ModelProvider {
  const ledger = thread.core.server.services.get(costLedger);
  return {
    id: provider.id,
    async stream(request, sink, signal) {
      const { home } = thread.core.server;
      const { raw } = thread.config;
      const facts = withFree(factsOf({ home, raw, provider: config }, request.model), config);
      const limits = costLimits(raw);
      const { prices } = facts;
      if (prices === undefined) {
        if (limits) throw unknownPrice(request.model, config);
        return await provider.stream(request, sink, signal);
      }
      if (prices.input === 0 && prices.output === 0) return await provider.stream(request, sink, signal);
      const input = dearestInput(request, prices);
      const held = heldOutput(config, facts);
      const bound = limits ? input + outputCost(held ?? assumedOutput, prices) : 0;
      let left = Number.POSITIVE_INFINITY;
      if (limits) {
        const spent = spentBy(thread, request.turnId);
        const taken = { ...spent, day: spent.day + ledger.reserved };
        holdLimits(limits, taken, bound);
        left = leftOf(limits, taken);
      }
      const isHeld = limits !== undefined && held !== undefined && !isChatgpt(thread, config);
      const asked = isHeld ? { ...request, maxOutputTokens: held } : request;
      ledger.reserved += bound;
      try {
        const how = { thread, provider, prices, limits, input, bound, left };
        return await streamMetered(how, { request: asked, sink, signal });
      } finally {
        ledger.reserved -= bound;
      }
    },
  };
}

interface Metering {
  readonly thread: Thread;
  readonly provider: ModelProvider;
  readonly prices: ModelPrices;
  readonly limits: CostLimits | undefined;
  /** The most that the input may cost. */
  readonly input: number;
  /** The most that an attempt may cost; 0 without limits. */
  readonly bound: number;
  /** The amount that may still be spent. */
  readonly left: number;
}

interface Asking {
  readonly request: ModelRequest;
  readonly sink: ModelSink;
  readonly signal: AbortSignal;
}

/** Counts what a response costs: by its usage, or by an estimate where it reports none. */
async function streamMetered(
  { thread, provider, prices, limits, input, bound, left }: Metering,
  { request, sink, signal }: Asking,
): Promise<ModelResult> {
  const { model, turnId } = request;
  const pay = (usd: number): number => {
    if (usd > 0) spend(thread, { provider: provider.id, model, turnId, usd });
    return usd;
  };
  let lost = 0;
  const stop = new AbortController();
  const hold = (usd: number): void => {
    if (limits && lost + usd > left) stop.abort(stoppedByLimit(limits));
  };
  const costOfOutput = (tokens: number): number => input + outputCost(tokens, prices);
  const meter = new ResponseMeter(sink, {
    lost: (tokens) => {
      lost += pay(costOfOutput(tokens));
      // Another attempt may follow.
      hold(bound);
    },
    grown: (tokens) => hold(costOfOutput(tokens)),
  });
  try {
    const result = await provider.stream(request, meter, AbortSignal.any([signal, stop.signal]));
    if (result.usage === null) meter.end();
    const cost = lost + (result.usage === null ? 0 : pay(costOf(result.usage, prices)));
    return cost === 0 ? result : { ...result, cost };
  } catch (error) {
    const usage = error instanceof ModelError ? error.result?.usage : undefined;
    if (usage) pay(costOf(usage, prices));
    else meter.end();
    throw error;
  }
}

/** The amounts of a turn, its thread and this day. */
function spentBy({ record, core }: Thread, turnId: string): Spent {
  const { costs } = record;
  const turn = costs?.turnId === turnId ? costs.turn : 0;
  return { turn, thread: costs?.thread ?? 0, day: core.server.services.get(costLedger).spentToday() };
}

/** The cost of tokens in US dollars. Those from a cache are among those of the input. */
export function costOf(usage: TokenUsageBreakdown, { input, cachedInput, cacheWrite, output }: ModelPrices): number {
  const { inputTokens, cachedInputTokens: cached, cacheWriteInputTokens: written = 0, outputTokens } = usage;
  const fresh = Math.max(0, inputTokens - cached - written);
  const dollars =
    fresh * input + cached * (cachedInput ?? input) + written * (cacheWrite ?? input) + outputTokens * output;
  return dollars / 1_000_000;
}

interface Paid {
  readonly provider: string;
  readonly model: string;
  readonly turnId: string;
  readonly usd: number;
}

function spend(thread: Thread, { turnId, usd, provider, model }: Paid): void {
  const { services, log } = thread.core.server;
  const line = event({ kind: "cost", turnId, usd });
  try {
    services.get(costLedger).add({ threadId: thread.id, turnId, provider, model, usd });
    if (thread.active) thread.write([line]);
    else if (thread.stored) thread.writeNow([line]);
    else thread.take([line]);
  } catch (error) {
    log.error("a request's cost could not be stored", error);
  }
  const spent = spentBy(thread, turnId);
  for (const client of thread.subscribers) {
    if (client.facts?.costs !== true) continue;
    // Not among Codex's notifications: only for clients that have asked for it.
    client.notify("thread/cost/updated" as never, { threadId: thread.id, turnId, currency: "USD", ...spent } as never);
  }
}

/** ChatGPT's own endpoint takes no bound of an answer. */
function isChatgpt({ core }: Thread, { requiresOpenaiAuth }: ProviderConfig): boolean {
  return requiresOpenaiAuth && core.account.accountId !== null;
}

/** Nobody is paid for models on this machine, unless the configuration says otherwise. */
function withFree(facts: ModelFacts, { baseUrl, wire, isEmbedded }: ProviderConfig): ModelFacts {
  if (facts.prices !== undefined || isEmbedded) return facts;
  const { hostname = "" } = URL.parse(baseUrl ?? "") ?? {};
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname) || (baseUrl === null && wire === undefined);
  return isHere ? { ...facts, prices: free } : facts;
}

function unknownPrice(model: string, { id }: ProviderConfig): ModelError {
  const message = `cost_limits are set, but no price is known for ${model}. Add prices = { input = …, output = … } (US dollars per million tokens) to [model_providers.${id}.models."${model}"], or to [models."${model}"].`;
  return new ModelError(message, "sessionBudgetExceeded");
}
