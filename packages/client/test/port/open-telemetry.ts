import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, type ContextManager, context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";

/** What carries the active span across awaits; OpenTelemetry's own is in a package that is not needed otherwise. */
class AsyncContexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    active: Context,
    run: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(active, () => run.apply(thisArg, args));
  }

  bind<T>(_context: Context, target: T): T {
    return target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    return this;
  }
}

/** A real OpenTelemetry SDK that keeps its spans. */
export interface Tracing extends Disposable {
  readonly provider: BasicTracerProvider;
  /** Spans that have ended. */
  spans(name?: string): ReadableSpan[];
}

/** @param options With `register: false` the program has the SDK but did not make it the global one. */
export function tracing({ register = true } = {}): Tracing {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  if (register) {
    trace.setGlobalTracerProvider(provider);
    context.setGlobalContextManager(new AsyncContexts());
  }
  return {
    provider,
    spans: (name) => exporter.getFinishedSpans().filter((span) => name === undefined || span.name === name),
    [Symbol.dispose]() {
      trace.disable();
      context.disable();
    },
  };
}
