import { failureMessage } from "../lib/failure-message.ts";

/** The part of an OpenTelemetry span that is used here. */
interface Span {
  setAttribute(name: string, value: string | number | boolean): unknown;
  recordException(error: unknown): void;
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
}

/** The part of an OpenTelemetry tracer that is used here. */
export interface Tracer {
  startSpan(
    name: string,
    options?: { attributes?: Record<string, string | number | boolean>; kind?: number },
    context?: unknown,
  ): Span;
}

interface OpenTelemetryGlobals {
  readonly trace?: { getTracer(name: string): Tracer };
  readonly context?: { active(): unknown };
}

const clientKind = 2;
const statusError = 2;

/**
 * Spans for requests and turns. With a tracer given it is used; else the provider that the program registered with
 * `@opentelemetry/api` is found through the registry that all copies of that package share, so that there is no
 * dependency on it, and no cost where it is not used.
 */
export class Telemetry {
  readonly #given: Tracer | undefined;

  constructor(tracer: Tracer | undefined) {
    this.#given = tracer;
  }

  /** True when spans are wanted at all. */
  get active(): boolean {
    return this.#given !== undefined || globals()?.trace !== undefined;
  }

  /** Looked up each time: a provider may be registered after the client was made. */
  get #tracer(): Tracer | undefined {
    return this.#given ?? globals()?.trace?.getTracer("@quire/client");
  }

  /** A span around one request. */
  async request<T>(method: string, run: () => Promise<T>): Promise<T> {
    const end = this.start(`codex ${method}`, { "rpc.system": "jsonrpc", "rpc.method": method });
    try {
      const result = await run();
      end({});
      return result;
    } catch (error) {
      end({}, error);
      throw error;
    }
  }

  /** Opens a span; the returned function ends it with what is known by then. */
  start(
    name: string,
    attributes: Record<string, string>,
  ): (outcome: Record<string, string | number>, error?: unknown) => void {
    const span = this.#tracer?.startSpan(name, { attributes, kind: clientKind }, globals()?.context?.active());
    return (outcome, error) => {
      for (const [key, value] of Object.entries(outcome)) span?.setAttribute(key, value);
      if (error !== undefined) {
        span?.recordException(error);
        span?.setStatus({ code: statusError, message: failureMessage(error) });
      }
      span?.end();
    };
  }
}

function globals(): OpenTelemetryGlobals | undefined {
  return (globalThis as { [key: symbol]: OpenTelemetryGlobals | undefined })[Symbol.for("opentelemetry.js.api.1")];
}
