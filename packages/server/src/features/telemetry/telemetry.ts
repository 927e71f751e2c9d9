import { hostname } from "node:os";
import type { ServerContext } from "../../context/server-context.ts";
import { service } from "../../context/services.ts";
import type { Log } from "../../lib/log.ts";
import { codexVersion } from "../../lib/version.ts";
import { Batch } from "./batch.ts";
import { Meter } from "./meter.ts";
import { logsMessage, metricsMessage, spansMessage } from "./otlp.ts";
import type { LogRecord, SpanRecord } from "./records.ts";
import { send } from "./send.ts";
import type { Signal } from "./signal.ts";
import { readTelemetry, type TelemetrySettings } from "./telemetry-settings.ts";

/** Time that the server's end waits for a collector. */
const closeMs = 1000;

/** Undefined until the first thread has its settings. */
const opened = service((_: ServerContext): { telemetry?: Telemetry | null } => ({}));

/** The telemetry of a server, made for its first thread that has some; `null` where nothing is exported. */
export function telemetryOf(server: ServerContext, otel: unknown): Telemetry | null {
  const known = server.services.get(opened);
  if (known.telemetry !== undefined) return known.telemetry;
  const settings = readTelemetry(otel);
  const made = settings ? new Telemetry(settings, server.log) : null;
  known.telemetry = made;
  if (made) server.onClose(() => made.close());
  return made;
}

/** Sends events and spans of one server to its collectors. Owned by the server, which closes it last. */
export class Telemetry {
  readonly settings: TelemetrySettings;
  readonly #logs: Batch<LogRecord> | undefined;
  readonly #spans: Batch<SpanRecord> | undefined;
  readonly meter: Meter | undefined;

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
    const warn = (what: Signal) => (problem: string) => log.warn(`telemetry: ${what} cannot be sent: ${problem}`);
    for (const problem of settings.problems) log.warn(`telemetry: ${problem}`);
    const { logs, traces, metrics } = settings;
    if (logs)
      this.#logs = new Batch({
        send: (records) => send("logs", logs, logsMessage(resource, records)),
        warn: warn("logs"),
      });
    if (traces)
      this.#spans = new Batch({
        send: (records) => send("traces", traces, spansMessage(resource, records)),
        warn: warn("traces"),
      });
    if (metrics)
      this.meter = new Meter(
        (measured) => send("metrics", metrics, metricsMessage(resource, measured)),
        warn("metrics"),
      );
  }

  log(record: LogRecord): void {
    this.#logs?.add(record);
  }

  span(record: SpanRecord): void {
    this.#spans?.add(record);
  }

  /** Sends the rest if that is quick: a server must end when asked to. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeMs);
    await Promise.race([promise, Promise.all([this.#logs?.flush(), this.#spans?.flush(), this.meter?.flush()])]);
    clearTimeout(timer);
  }
}
