import { readFileSync } from "node:fs";
import { connect, type IncomingHttpHeaders, type SecureClientSessionOptions } from "node:http2";
import type { Signal } from "./signal.ts";
import type { Destination } from "./telemetry-settings.ts";

const services: Readonly<Record<Signal, string>> = {
  logs: "logs.v1.LogsService",
  traces: "trace.v1.TraceService",
  metrics: "metrics.v1.MetricsService",
};

/** A gRPC message begins with a byte for compression and four for its length. */
const prefixLength = 5;

/** A call of a collector's `Export`, over its own connection: there is at most one a second. */
export async function sendByGrpc(
  signal: Signal,
  { endpoint, headers, tls }: Destination,
  { bytes, timeoutMs }: { readonly bytes: Uint8Array; readonly timeoutMs: number },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const session = connect(new URL(endpoint).origin, tlsOptions(tls));
  const timer = setTimeout(() => reject(new Error(`the collector does not answer within ${timeoutMs} ms`)), timeoutMs);
  session.on("error", reject);
  try {
    const stream = session.request({
      ...headers,
      ":method": "POST",
      ":path": `/opentelemetry.proto.collector.${services[signal]}/Export`,
      "content-type": "application/grpc",
      te: "trailers",
    });
    // The outcome is in the trailers, or where a call fails at once, in the headers.
    let outcome: IncomingHttpHeaders = {};
    const note = (headers: IncomingHttpHeaders) => {
      outcome = { ...outcome, ...headers };
    };
    stream.on("response", note);
    stream.on("trailers", note);
    stream.on("error", reject);
    stream.on("close", () => {
      const problem = problemOf(outcome);
      if (problem === null) resolve();
      else reject(new Error(`the collector answers ${problem}`));
    });
    stream.resume();
    stream.end(framed(bytes));
    await promise;
  } finally {
    clearTimeout(timer);
    session.destroy();
  }
}

function framed(bytes: Uint8Array): Buffer {
  const prefix = Buffer.alloc(prefixLength);
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

function problemOf(outcome: IncomingHttpHeaders): string | null {
  const { "grpc-status": status, "grpc-message": why, ":status": http } = outcome;
  if (status === "0") return null;
  const what = status === undefined ? `HTTP ${http ?? "nothing"}` : `gRPC status ${status}`;
  return why === undefined ? what : `${what}: ${why}`;
}

function tlsOptions({ ca, cert, key }: Destination["tls"]): SecureClientSessionOptions {
  return {
    ...(ca && { ca: readFileSync(ca) }),
    ...(cert && { cert: readFileSync(cert) }),
    ...(key && { key: readFileSync(key) }),
  };
}
