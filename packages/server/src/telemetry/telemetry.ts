import { hostname } from "node:os";
import type { Log } from "../log.ts";
import { codexVersion } from "../version.ts";
import { Batch } from "./batch.ts";
import { logsMessage, spansMessage } from "./otlp.ts";
import { type LogRecord, newSpanId, type SpanRecord, traceOf } from "./records.ts";
import type { TelemetrySettings } from "./settings.ts";

/** One request of a client, as it ended. */
export interface ServedRequest {
  readonly method: string;
  readonly client: string | undefined;
  readonly startMs: number;
  readonly failed: boolean;
  /** What the turn that it began is called. */
  readonly turnId?: string | undefined;
}

/** Sends events and spans of one server to its collectors. Owned by the server, which closes it last. */
export class Telemetry {
  readonly settings: TelemetrySettings;
  readonly #logs: Batch<LogRecord> | undefined;
  readonly #spans: Batch<SpanRecord> | undefined;

  constructor(settings: TelemetrySettings, log: Log) {
    this.settings = settings;
    const resource = {
      "service.name": "quire-app-server",
      "service.version": codexVersion,
      env: settings.environment,
      "host.name": hostname(),
      "telemetry.sdk.name": "quire",
      "telemetry.sdk.language": "nodejs",
    };
    const warn = (what: string) => (problem: string) => log.warn(`telemetry: ${what} cannot be sent: ${problem}`);
    for (const problem of settings.problems) log.warn(`telemetry: ${problem}`);
    const { logs, traces } = settings;
    if (logs)
      this.#logs = new Batch({ to: logs, message: (records) => logsMessage(resource, records), warn: warn("logs") });
    if (traces)
      this.#spans = new Batch({
        to: traces,
        message: (records) => spansMessage(resource, records),
        warn: warn("traces"),
      });
  }

  log(record: LogRecord): void {
    this.#logs?.add(record);
  }

  span(record: SpanRecord): void {
    this.#spans?.add(record);
  }

  /** A request of a client; one that began a turn belongs to the trace of that. */
  request({ method, client, startMs, failed, turnId }: ServedRequest): void {
    this.span({
      name: method,
      kind: 2,
      traceId: turnId === undefined ? newSpanId() + newSpanId() : traceOf(turnId),
      spanId: newSpanId(),
      startMs,
      endMs: Date.now(),
      failed,
      attributes: {
        "rpc.system": "jsonrpc",
        "rpc.method": method,
        "app_server.client_name": client,
        "turn.id": turnId,
      },
    });
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    await Promise.all([this.#logs?.flush(), this.#spans?.flush()]);
  }
}
