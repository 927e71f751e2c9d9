import type { TokenUsageBreakdown } from "@quire/protocol";
import type { ProviderConfig } from "../../config/effective-config.ts";
import { factsOf } from "../../config/models/facts-memory.ts";
import type { ModelFacts, ModelPrices } from "../../config/models/model-facts.ts";
import { ModelError, type ModelProvider, type ModelResult } from "../../model/model-provider.ts";
import { event } from "../../record/rollout-line.ts";
import type { Thread } from "../../thread/thread.ts";
import { costLedger } from "./cost-ledger.ts";
import { costLimits, dearest, holdLimits, type Spent } from "./cost-limits.ts";

const free: ModelPrices = { input: 0, output: 0 };

/** A provider whose requests are paid: each is counted, and none is sent that may pass a limit. */
export function meteredProvider(thread: Thread, config: ProviderConfig, provider: ModelProvider): ModelProvider {
  const ledger = thread.core.server.services.get(costLedger);
  const count = (model: string, turnId: string, usage: TokenUsageBreakdown | null, { prices }: ModelFacts) => {
    if (prices === undefined || usage === null) return undefined;
    const usd = costOf(usage, prices);
    if (usd > 0) spend(thread, { provider: provider.id, model, turnId, usd });
    return usd;
  };
  return {
    id: provider.id,
    async stream(request, sink, signal) {
      const { home } = thread.core.server;
      const { raw } = thread.config;
      const facts = withFree(factsOf({ home, raw, provider: config }, request.model), config);
      const { turnId, model } = request;
      const limits = costLimits(raw);
      const bound = limits ? dearest(request, facts) : 0;
      if (limits) {
        if (facts.prices === undefined) throw unknownPrice(model, config);
        const spent = spentBy(thread, turnId);
        holdLimits(limits, { ...spent, day: spent.day + ledger.reserved }, bound);
      }
      ledger.reserved += bound;
      try {
        const result: ModelResult = await provider.stream(request, sink, signal);
        const cost = count(model, turnId, result.usage, facts);
        return cost === undefined || cost === 0 ? result : { ...result, cost };
      } catch (error) {
        if (error instanceof ModelError && error.result) count(model, turnId, error.result.usage, facts);
        throw error;
      } finally {
        ledger.reserved -= bound;
      }
    },
  };
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
