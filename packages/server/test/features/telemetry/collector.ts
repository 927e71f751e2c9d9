import { createServer } from "node:http2";

/** A log or a span as it arrived. */
interface Arrived {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A metric as it arrived: one series of it. */
interface Measured {
  readonly name: string;
  readonly count: number;
  /** Of a histogram. */
  readonly sum: number | undefined;
  readonly buckets: readonly number[];
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A collector of OTLP that keeps what it gets. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly metrics: readonly Measured[];
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
  const metrics: Measured[] = [];
  let resource: Readonly<Record<string, unknown>> = {};
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const bytes = new Uint8Array(await request.arrayBuffer());
      requests.push({ headers: request.headers, bytes });
      if (request.url.endsWith("/v1/metrics")) {
        metrics.push(...readMetrics(JSON.parse(Buffer.from(bytes).toString())));
        return new Response(null);
      }
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
    metrics,
    get resource() {
      return resource;
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };
}

/** Starts one that is called by gRPC. It takes everything, unless told otherwise. */
export async function grpcCollector({ status = 0 }: { readonly status?: number } = {}): Promise<Collector> {
  const requests: { headers: Headers; bytes: Uint8Array }[] = [];
  const logs: Arrived[] = [];
  const spans: Arrived[] = [];
  const metrics: Measured[] = [];
  const server = createServer();
  server.on("stream", (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const body = Buffer.concat(chunks);
      const bytes = new Uint8Array(body.subarray(5));
      const path = String(headers[":path"]);
      const key = String(headers["x-key"] ?? "");
      requests.push({ headers: new Headers({ "x-path": path, "x-key": key }), bytes });
      if (body.readUInt8(0) !== 0 || body.readUInt32BE(1) !== bytes.length) return stream.close();
      if (path.includes("LogsService")) logs.push(...fromBinary(bytes, true).records);
      if (path.includes("TraceService")) spans.push(...fromBinary(bytes, false).records);
      if (path.includes("MetricsService")) metrics.push(...binaryMetrics(bytes));
      stream.on("wantTrailers", () =>
        stream.sendTrailers({ "grpc-status": String(status), "grpc-message": "so it is" }),
      );
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.end(Buffer.alloc(5));
      return undefined;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    logs,
    spans,
    metrics,
    resource: {},
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: it is read field by field, and a wrong one fails the test.
function readMetrics(message: any): Measured[] {
  const { metrics } = message.resourceMetrics[0].scopeMetrics[0];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return metrics.flatMap(({ name, sum, histogram }: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    (sum ?? histogram).dataPoints.map((point: any) => ({
      name,
      count: Number(point.asInt ?? point.count),
      sum: point.sum,
      buckets: (point.bucketCounts ?? []).map(Number),
      attributes: jsonPairs(point.attributes),
    })),
  );
}

function binaryMetrics(bytes: Uint8Array): Measured[] {
  const scope = inner(inner(parse(bytes), 1), 2);
  return (scope.get(2) ?? []).flatMap((raw) => {
    const metric = parse(raw as Uint8Array);
    const isSum = metric.has(7);
    return (inner(metric, isSum ? 7 : 9).get(1) ?? []).map((each) => {
      const point = parse(each as Uint8Array);
      return {
        name: text(metric, 1),
        count: Number(point.get(isSum ? 6 : 4)?.[0]),
        sum: isSum ? undefined : double(point.get(5)?.[0] as bigint),
        buckets: isSum ? [] : (point.get(6) ?? []).map(Number),
        attributes: binaryPairs(point.get(isSum ? 7 : 9)),
      };
    });
  });
}

function double(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
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
