import { isTable } from "../../lib/table.ts";

/** An OTLP collector. */
export interface Destination {
  readonly endpoint: string;
  /** JSON or Protocol Buffers over HTTP, or gRPC. */
  readonly format: "json" | "binary" | "grpc";
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: { readonly ca: string | null; readonly cert: string | null; readonly key: string | null };
}

/** `[otel]` of the configuration. */
export interface TelemetrySettings {
  readonly environment: string;
  /** True to include user messages, and input and output of tools. */
  readonly logUserPrompt: boolean;
  readonly logs: Destination | null;
  readonly traces: Destination | null;
  readonly metrics: Destination | null;
  /** Requested exporters that do not exist here. */
  readonly problems: readonly string[];
}

/** Reads `[otel]`; `undefined` where nothing is exported. */
export function readTelemetry(otel: unknown): TelemetrySettings | undefined {
  if (!isTable(otel)) return undefined;
  const problems: string[] = [];
  const read = (key: string) => destination(otel[key], (problem) => problems.push(`otel.${key}: ${problem}`));
  const settings = {
    environment: typeof otel.environment === "string" ? otel.environment : "dev",
    logUserPrompt: otel.log_user_prompt === true,
    logs: read("exporter"),
    traces: read("trace_exporter"),
    metrics: read("metrics_exporter"),
    problems,
  };
  const { logs, traces, metrics } = settings;
  return logs || traces || metrics || problems.length > 0 ? settings : undefined;
}

function destination(exporter: unknown, problem: (text: string) => void): Destination | null {
  // `statsig` is the vendor's own service; nothing is sent there.
  if (exporter === undefined || exporter === "none" || exporter === "statsig") return null;
  const { "otlp-http": http, "otlp-grpc": grpc } = isTable(exporter) ? exporter : {};
  const settings = http ?? grpc;
  if (!isTable(settings)) {
    problem("expected none, or a table otlp-http or otlp-grpc with an endpoint");
    return null;
  }
  const { endpoint, protocol, headers, tls } = settings;
  if (typeof endpoint !== "string" || !URL.canParse(endpoint)) {
    problem("its endpoint is no address");
    return null;
  }
  const files = isTable(tls) ? tls : {};
  return {
    endpoint,
    format: http === undefined ? "grpc" : protocol === "json" ? "json" : "binary",
    headers: isTable(headers)
      ? Object.fromEntries(
          Object.entries(headers).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
        )
      : {},
    tls: {
      ca: path(files["ca-certificate"]),
      cert: path(files["client-certificate"]),
      key: path(files["client-private-key"]),
    },
  };
}

const path = (value: unknown): string | null => (typeof value === "string" ? value : null);
