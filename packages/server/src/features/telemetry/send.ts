import { readBounded } from "../../lib/read-bounded.ts";
import type { OtlpMessage } from "./otlp.ts";
import { toProtobuf } from "./protobuf.ts";
import { sendByGrpc } from "./send-by-grpc.ts";
import type { Signal } from "./signal.ts";
import type { Destination } from "./telemetry-settings.ts";

const timeoutMs = 5000;

/** Brings a message to a collector. Rejects where that fails, or takes too long. */
export async function send(signal: Signal, to: Destination, message: OtlpMessage): Promise<void> {
  if (to.format === "grpc") await sendByGrpc(signal, to, { bytes: toProtobuf(message), timeoutMs });
  else await sendByHttp(to, message);
}

async function sendByHttp({ endpoint, headers, format, tls }: Destination, message: OtlpMessage): Promise<void> {
  const json = format === "json";
  const { ca, cert, key } = tls;
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { ...headers, "content-type": json ? "application/json" : "application/x-protobuf" },
    body: json ? JSON.stringify(message) : toProtobuf(message),
    signal: AbortSignal.timeout(timeoutMs),
    ...((ca || cert || key) && {
      tls: {
        ...(ca && { ca: Bun.file(ca) }),
        ...(cert && { cert: Bun.file(cert) }),
        ...(key && { key: Bun.file(key) }),
      },
    }),
  });
  await readBounded(response);
  if (!response.ok) throw new Error(`the collector answers ${response.status}`);
}
