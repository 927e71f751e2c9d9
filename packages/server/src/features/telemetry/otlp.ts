import type { Measured, Series } from "./meter.ts";
import type { Attributes, LogRecord, SpanRecord } from "./records.ts";

/** A message of OTLP as JSON has it. */
export type OtlpMessage = { readonly [field: string]: unknown };

const scope = { name: "@quire/server" };
const info = 9;

/** Logs as OTLP has them. */
export function logsMessage(resource: Attributes, records: readonly LogRecord[]): OtlpMessage {
  const logRecords = records.map(({ timeMs, traceId, spanId, attributes }) => ({
    timeUnixNano: nanos(timeMs),
    severityNumber: info,
    severityText: "INFO",
    attributes: pairs(attributes),
    ...(traceId !== undefined && { traceId }),
    ...(spanId !== undefined && { spanId }),
    observedTimeUnixNano: nanos(timeMs),
    eventName: String(attributes["event.name"] ?? ""),
  }));
  return { resourceLogs: [{ resource: { attributes: pairs(resource) }, scopeLogs: [{ scope, logRecords }] }] };
}

/** Spans as OTLP has them. */
export function spansMessage(resource: Attributes, records: readonly SpanRecord[]): OtlpMessage {
  const spans = records.map(({ startMs, endMs, attributes, failed, parentSpanId, traceId, spanId, name, kind }) => ({
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind,
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(endMs),
    attributes: pairs(attributes),
    status: failed ? { code: 2 } : {},
  }));
  return { resourceSpans: [{ resource: { attributes: pairs(resource) }, scopeSpans: [{ scope, spans }] }] };
}

/** Metrics as OTLP has them: what came about in a span of time. */
export function metricsMessage(resource: Attributes, { sinceMs, untilMs, series }: Measured): OtlpMessage {
  const span = { startTimeUnixNano: nanos(sinceMs), timeUnixNano: nanos(untilMs) };
  const names = [...new Set(series.map(({ name }) => name))];
  const metrics = names.map((name) =>
    metric(
      name,
      series.filter((each) => each.name === name),
      span,
    ),
  );
  return { resourceMetrics: [{ resource: { attributes: pairs(resource) }, scopeMetrics: [{ scope, metrics }] }] };
}

const delta = { aggregationTemporality: 1 };

function metric(name: string, all: readonly Series[], span: OtlpMessage): OtlpMessage {
  const unit = all[0]?.histogram?.unit;
  if (unit === undefined) {
    const dataPoints = all.map(({ attributes, count }) => ({
      attributes: pairs(attributes),
      ...span,
      asInt: String(count),
    }));
    return { name, sum: { dataPoints, ...delta, isMonotonic: true } };
  }
  const dataPoints = all.map(({ attributes, count, sum, min, max, histogram }) => ({
    attributes: pairs(attributes),
    ...span,
    count: String(count),
    sum,
    bucketCounts: histogram?.buckets.map(String),
    explicitBounds: histogram?.bounds,
    min,
    max,
  }));
  return { name, unit, histogram: { dataPoints, ...delta } };
}

/** Times exceed a number's precision: whole milliseconds, and zeros. */
const nanos = (ms: number): string => `${Math.round(ms)}000000`;

function pairs(attributes: Attributes): OtlpMessage[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: string | number | boolean): OtlpMessage {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
