import { quireVersion } from "../version.ts";

/** Where records go. */
export interface OtlpTarget {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly environment: string;
}

/** Something that happened, with what is known of it. */
export interface OtlpRecord {
  readonly name: string;
  readonly atMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean | null>>;
}

/** Records that wait at most; beyond it the oldest are dropped. */
const maxWaiting = 2048;
/** Records of one request. */
const batch = 256;
/** How long a record waits for others. */
const waitMs = 1000;
const timeoutMs = 10_000;

/** Sends records as OTLP logs over HTTP, as JSON. What cannot be sent is dropped: nothing waits for telemetry. */
export class OtlpExporter {
  readonly #target: OtlpTarget;
  readonly #warn: (problem: string) => void;
  #waiting: OtlpRecord[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> = Promise.resolve();
  #warned = false;

  constructor(target: OtlpTarget, warn: (problem: string) => void) {
    this.#target = target;
    this.#warn = warn;
  }

  add(record: OtlpRecord): void {
    this.#waiting.push(record);
    if (this.#waiting.length > maxWaiting) this.#waiting.shift();
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.flush(), waitMs);
    this.#timer.unref();
  }

  /** Sends what waits. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending = this.#sending.then(() => this.#sendAll());
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const records = this.#waiting.splice(0, batch);
      try {
        const { endpoint, headers } = this.#target;
        const response = await fetch(endpoint, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(this.#body(records)),
          signal: AbortSignal.timeout(timeoutMs),
        });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`it answered ${response.status}`);
      } catch (error) {
        if (!this.#warned) this.#warn(`telemetry cannot be sent to ${this.#target.endpoint}: ${String(error)}`);
        this.#warned = true;
      }
    }
  }

  #body(records: readonly OtlpRecord[]): object {
    const resource = {
      "service.name": "quire-app-server",
      "service.version": quireVersion,
      env: this.#target.environment,
    };
    const logRecords = records.map(({ name, atMs, attributes }) => ({
      timeUnixNano: `${atMs}000000`,
      severityNumber: 9,
      severityText: "INFO",
      body: { stringValue: name },
      attributes: pairs({ "event.name": name, ...attributes }),
    }));
    return {
      resourceLogs: [
        { resource: { attributes: pairs(resource) }, scopeLogs: [{ scope: { name: "quire" }, logRecords }] },
      ],
    };
  }
}

function pairs(attributes: OtlpRecord["attributes"]): object[] {
  const known = Object.entries(attributes).filter(([, value]) => value !== null);
  return known.map(([key, value]) => ({ key, value: wireValue(value) }));
}

function wireValue(value: unknown): object {
  if (typeof value === "boolean") return { boolValue: value };
  return typeof value === "number" ? { intValue: String(Math.round(value)) } : { stringValue: String(value) };
}
