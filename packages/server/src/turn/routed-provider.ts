import type { ResponseItem } from "@quire/protocol";
import { ForwardingSink } from "../model/forwarding-sink.ts";
import {
  type EndpointNotice,
  ModelError,
  type ModelProvider,
  type ModelRequest,
  type ModelSink,
} from "../model/model-provider.ts";
import type { Makers } from "../record/makers.ts";
import type { Thread } from "../thread/thread.ts";
import type { Route } from "./route.ts";

/** A route and the provider that stands for it. */
export interface OpenRoute {
  readonly route: Route;
  readonly provider: ModelProvider;
}

/** A provider that asks along a list of routes, until one of them answers. */
export function routedProvider(thread: Thread, routes: readonly [OpenRoute, ...OpenRoute[]]): ModelProvider {
  const { makers } = thread.record;
  return {
    id: routes[0].provider.id,
    async stream(request, sink, signal) {
      for (const [index, { route, provider }] of routes.entries()) {
        const asked = alongRoute(request, route, makers);
        const own = new RouteSink(sink, {
          provider: provider.id,
          makers,
          model: asked.model,
          isOwn: asked.model === request.model,
        });
        try {
          return await provider.stream(asked, own, signal);
        } catch (error) {
          const next = routes[index + 1];
          if (next === undefined || signal.aborted || !isOutage(error)) throw error;
          sink.retrying(error, index + 1, routes.length - 1);
          const toModel = next.route.model ?? request.model;
          const { name } = next.route.provider;
          sink.notice?.({ kind: "fallback", from: asked.model, to: toModel, provider: name, reason: error.message });
        }
      }
      throw new Error("a chain of providers has ended without an answer");
    },
  };
}

function alongRoute(request: ModelRequest, { provider, model }: Route, makers: Makers): ModelRequest {
  const input = makers.readableBy(provider.id, request.input);
  if (model === null || model === request.model) return input === request.input ? request : { ...request, input };
  // Another model may know neither the effort nor the tier.
  return { ...request, input, model, effort: null, serviceTier: null, verbosity: null };
}

/** Outages and limits, which another provider may not have. */
const outages: ReadonlySet<string> = new Set([
  "httpConnectionFailed",
  "responseStreamConnectionFailed",
  "responseStreamDisconnected",
  "responseTooManyFailedAttempts",
  "serverOverloaded",
  "internalServerError",
  "usageLimitExceeded",
  "rateLimitExceeded",
  "flexUnavailable",
  "policyCapacityUnavailable",
]);

function isOutage(error: unknown): error is ModelError {
  if (!(error instanceof ModelError)) return false;
  const { info } = error;
  const kind = typeof info === "string" ? info : (Object.keys(info)[0] ?? "");
  // A stream that breaks off again and again has no kind of its own.
  return outages.has(kind) || /^stream disconnected/.test(error.message);
}

interface RouteSinkOptions {
  readonly provider: string;
  readonly makers: Makers;
  readonly model: string;
  /** True if the model is that of the thread. */
  readonly isOwn: boolean;
}

/** Notes who has made each item. */
class RouteSink extends ForwardingSink {
  readonly #options: RouteSinkOptions;
  readonly argumentsDelta?: (itemId: string, delta: string) => void;

  constructor(sink: ModelSink, options: RouteSinkOptions) {
    super(sink);
    this.#options = options;
    if (sink.argumentsDelta) this.argumentsDelta = (itemId, delta) => sink.argumentsDelta?.(itemId, delta);
  }

  override itemDone(item: ResponseItem): void {
    this.#options.makers.set(item, this.#options.provider);
    super.itemDone(item);
  }

  override notice(notice: EndpointNotice): void {
    const { model, isOwn } = this.#options;
    // That the model asked for has answered is no news.
    if (notice.kind === "served" && !isOwn && notice.model.toLowerCase() === model.toLowerCase()) return;
    super.notice(notice);
  }
}
