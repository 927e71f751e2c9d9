/** A log or a span as it arrived. */
interface Arrived {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A collector of OTLP over HTTP that keeps what it gets. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly { readonly headers: Headers; readonly bytes: Uint8Array }[];
  readonly logs: readonly Arrived[];
  readonly spans: readonly Arrived[];
  readonly resource: Readonly<Record<string, unknown>>;
}

/** Starts a collector. It reads JSON and the binary format, by field numbers, on its own. */
export function collector({ status = 200 }: { readonly status?: number | "never" } = {}): Collector {
  const requests: { headers: Headers; bytes: Uint8Array }[] = [];
  const logs: Arrived[] = [];
  const spans: Arrived[] = [];
  let resource: Readonly<Record<string, unknown>> = {};
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const bytes = new Uint8Array(await request.arrayBuffer());
      requests.push({ headers: request.headers, bytes });
      const isLogs = request.url.endsWith("/v1/logs");
      const binary = request.headers.get("content-type") === "application/x-protobuf";
      const read = binary ? fromBinary(bytes, isLogs) : fromJson(JSON.parse(Buffer.from(bytes).toString()), isLogs);
      resource = read.resource;
      (isLogs ? logs : spans).push(...read.records);
      return status === "never" ? new Promise<never>(() => undefined) : new Response(null, { status });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    logs,
    spans,
    get resource() {
      return resource;
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };
}

interface Read {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly records: readonly Arrived[];
}

// biome-ignore lint/suspicious/noExplicitAny: it is read field by field, and a wrong one fails the test.
function fromJson(message: any, isLogs: boolean): Read {
  const [whole] = isLogs ? message.resourceLogs : message.resourceSpans;
  const [scope] = isLogs ? whole.scopeLogs : whole.scopeSpans;
  const records = (isLogs ? scope.logRecords : scope.spans).map((record: Record<string, unknown>) => ({
    name: record.name ?? record.eventName ?? "",
    traceId: record.traceId ?? "",
    spanId: record.spanId ?? "",
    parentSpanId: record.parentSpanId ?? "",
    failed: (record.status as { code?: number } | undefined)?.code === 2,
    attributes: jsonPairs(record.attributes),
  }));
  return { resource: jsonPairs(whole.resource.attributes), records };
}

function jsonPairs(list: unknown): Record<string, unknown> {
  const pairs = list as { key: string; value: Record<string, unknown> }[];
  return Object.fromEntries(
    pairs.map(({ key, value: { stringValue, boolValue, intValue, doubleValue } }) => [
      key,
      stringValue ?? boolValue ?? (intValue === undefined ? doubleValue : Number(intValue)),
    ]),
  );
}

type Fields = Map<number, (bigint | Uint8Array)[]>;

function fromBinary(bytes: Uint8Array, isLogs: boolean): Read {
  const whole = inner(parse(bytes), 1);
  const scope = inner(whole, 2);
  const records = (scope.get(2) ?? []).map((raw) => {
    const record = parse(raw as Uint8Array);
    const [trace, span, attributes] = isLogs ? [9, 10, 6] : [1, 2, 9];
    return {
      name: text(record, isLogs ? 12 : 5),
      traceId: hex(record, trace),
      spanId: hex(record, span),
      parentSpanId: isLogs ? "" : hex(record, 4),
      failed: !isLogs && inner(record, 15).get(3)?.[0] === 2n,
      attributes: binaryPairs(record.get(attributes)),
    };
  });
  return { resource: binaryPairs(inner(whole, 1).get(1)), records };
}

function binaryPairs(list: Fields extends Map<number, infer V> ? V | undefined : never): Record<string, unknown> {
  return Object.fromEntries(
    (list ?? []).map((raw) => {
      const pair = parse(raw as Uint8Array);
      const value = inner(pair, 2);
      const bool = value.get(2)?.[0];
      const int = value.get(3)?.[0];
      const plain = bool !== undefined ? bool === 1n : int !== undefined ? Number(int) : text(value, 1);
      return [text(pair, 1), plain];
    }),
  );
}

const inner = (fields: Fields, number: number): Fields =>
  parse((fields.get(number)?.[0] as Uint8Array) ?? new Uint8Array());
const text = (fields: Fields, number: number): string =>
  Buffer.from((fields.get(number)?.[0] as Uint8Array) ?? []).toString();
const hex = (fields: Fields, number: number): string =>
  Buffer.from((fields.get(number)?.[0] as Uint8Array) ?? []).toString("hex");

function parse(bytes: Uint8Array): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(bytes[at++] ?? 0);
      value |= (byte & 127n) << shift;
      if (byte < 128n) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const kind = tag & 7;
    let value: bigint | Uint8Array;
    if (kind === 0) value = varint();
    else if (kind === 1) {
      value = new DataView(bytes.buffer, bytes.byteOffset + at).getBigUint64(0, true);
      at += 8;
    } else {
      const length = Number(varint());
      value = bytes.subarray(at, at + length);
      at += length;
    }
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}
