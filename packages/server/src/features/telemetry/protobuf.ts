import type { OtlpMessage } from "./otlp.ts";

type Kind = "string" | "hex" | "bool" | "varint" | "fixed64" | "double" | Fields;
/** The number and kind of each field, from the protocol's definition. */
interface Fields {
  readonly [field: string]: readonly [number: number, kind: Kind];
}

const anyValue: Fields = {
  stringValue: [1, "string"],
  boolValue: [2, "bool"],
  intValue: [3, "varint"],
  doubleValue: [4, "double"],
};
const keyValue: Fields = { key: [1, "string"], value: [2, anyValue] };
const resource: Fields = { attributes: [1, keyValue] };
const scope: Fields = { name: [1, "string"], version: [2, "string"] };
const logRecord: Fields = {
  timeUnixNano: [1, "fixed64"],
  severityNumber: [2, "varint"],
  severityText: [3, "string"],
  attributes: [6, keyValue],
  traceId: [9, "hex"],
  spanId: [10, "hex"],
  observedTimeUnixNano: [11, "fixed64"],
  eventName: [12, "string"],
};
const span: Fields = {
  traceId: [1, "hex"],
  spanId: [2, "hex"],
  parentSpanId: [4, "hex"],
  name: [5, "string"],
  kind: [6, "varint"],
  startTimeUnixNano: [7, "fixed64"],
  endTimeUnixNano: [8, "fixed64"],
  attributes: [9, keyValue],
  status: [15, { message: [2, "string"], code: [3, "varint"] }],
};
const numberPoint: Fields = {
  attributes: [7, keyValue],
  startTimeUnixNano: [2, "fixed64"],
  timeUnixNano: [3, "fixed64"],
  asInt: [6, "fixed64"],
};
const histogramPoint: Fields = {
  attributes: [9, keyValue],
  startTimeUnixNano: [2, "fixed64"],
  timeUnixNano: [3, "fixed64"],
  count: [4, "fixed64"],
  sum: [5, "double"],
  bucketCounts: [6, "fixed64"],
  explicitBounds: [7, "double"],
  min: [11, "double"],
  max: [12, "double"],
};
const metric: Fields = {
  name: [1, "string"],
  unit: [3, "string"],
  sum: [7, { dataPoints: [1, numberPoint], aggregationTemporality: [2, "varint"], isMonotonic: [3, "bool"] }],
  histogram: [9, { dataPoints: [1, histogramPoint], aggregationTemporality: [2, "varint"] }],
};
const exported: Fields = {
  resourceLogs: [1, { resource: [1, resource], scopeLogs: [2, { scope: [1, scope], logRecords: [2, logRecord] }] }],
  resourceSpans: [1, { resource: [1, resource], scopeSpans: [2, { scope: [1, scope], spans: [2, span] }] }],
  resourceMetrics: [1, { resource: [1, resource], scopeMetrics: [2, { scope: [1, scope], metrics: [2, metric] }] }],
};

/** A message as OTLP's binary format has it. */
export function toProtobuf(message: OtlpMessage): Uint8Array {
  return encode(message, exported);
}

function encode(message: OtlpMessage, fields: Fields): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [name, value] of Object.entries(message)) {
    const [number, kind] = fields[name] ?? [0, "string"];
    if (number === 0) throw new Error(`OTLP has no field ${name}`);
    for (const each of Array.isArray(value) ? value : [value]) parts.push(field(number, kind, each));
  }
  return Buffer.concat(parts);
}

function field(number: number, kind: Kind, value: unknown): Uint8Array {
  if (typeof kind === "object") return withLength(number, encode(value as OtlpMessage, kind));
  if (kind === "string") return withLength(number, Buffer.from(String(value), "utf8"));
  if (kind === "hex") return withLength(number, Buffer.from(String(value), "hex"));
  if (kind === "varint" || kind === "bool") {
    return Buffer.concat([varint(BigInt(number << 3)), varint(BigInt.asUintN(64, BigInt(value as string | boolean)))]);
  }
  const bytes = Buffer.alloc(8);
  if (kind === "double") bytes.writeDoubleLE(value as number);
  else bytes.writeBigUInt64LE(BigInt(value as string));
  return Buffer.concat([varint(BigInt((number << 3) | 1)), bytes]);
}

function withLength(number: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([varint(BigInt((number << 3) | 2)), varint(BigInt(bytes.length)), bytes]);
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(rest)]);
}
