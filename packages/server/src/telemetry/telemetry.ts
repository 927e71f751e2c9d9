import { hostname } from "node:os";
import type { Log } from "../log.ts";
import type { Core } from "../thread/core.ts";
import { codexVersion } from "../version.ts";
import { Batch } from "./batch.ts";
import { Meter } from "./meter.ts";
import { logsMessage, metricsMessage, spansMessage } from "./otlp.ts";
import type { LogRecord, SpanRecord } from "./records.ts";
import { type Signal, send } from "./send.ts";
import { readTelemetry, type TelemetrySettings } from "./settings.ts";

/** How long the end of the server waits for a collector. */
const closeMs = 1000;

const opened = new WeakMap<Core, Telemetry | null>();

/** The telemetry of a server, made for its first thread that has some; `null` where nothing is exported. */
export function telemetryOf(core: Core, otel: unknown): Telemetry | null {
  const known = opened.get(core);
  if (known !== undefined) return known;
  const settings = readTelemetry(otel);
  const made = settings ? new Telemetry(settings, core.server.log) : null;
  opened.set(core, made);
  if (made) core.onClose(() => made.close());
  return made;
}

/** Sends events and spans of one server to its collectors. Owned by the server, which closes it last. */
export class Telemetry {
  readonly settings: TelemetrySettings;
  readonly #logs: Batch<LogRecord> | undefined;
  readonly #spans: Batch<SpanRecord> | undefined;
  /** Where metrics are wanted. */
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

  /** Sends what is left, as far as that goes quickly: a server that is told to end does so. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeMs);
    await Promise.race([promise, Promise.all([this.#logs?.flush(), this.#spans?.flush(), this.meter?.flush()])]);
    clearTimeout(timer);
  }
}
