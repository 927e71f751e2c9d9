import { CodexClient, type CommonOptions, type Dialer } from "@quire/client";
import type { SessionSource } from "@quire/protocol";
import type { Flags } from "./args/flag.ts";
import { splitWords } from "./args/split-words.ts";
import { UsageError } from "./args/usage-error.ts";

/** Options by which every command finds its server. */
export const serverFlags = {
  server: {
    type: "text",
    short: "S",
    value: "SERVER",
    fallback: "a server of its own, in this process",
    help: 'Use another server: ws://…, wss://…, unix://PATH, or a command that serves stdin and stdout, such as "codex app-server".',
  },
  tokenFile: { type: "text", value: "PATH", help: "File with the bearer token for a ws:// or wss:// server." },
} as const satisfies Flags;

/** Which server to use, and how to present oneself to it. */
export interface ConnectRequest {
  readonly server: string | undefined;
  readonly tokenFile: string | undefined;
  /** Overrides of the configuration; only a server of one's own takes them. */
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly source: SessionSource;
  readonly client: CommonOptions;
}

/** A client and whatever was started for it. */
export interface Connected extends AsyncDisposable {
  readonly client: CodexClient;
}

/** Connects to the server asked for, or starts one in this process. */
export async function connect(request: ConnectRequest): Promise<Connected> {
  const client: CommonOptions = { clientName: "quire", clientTitle: "Quire", ...request.client };
  const { server } = request;
  if (server === undefined) return embedded(request, client);
  if (Object.keys(request.overrides).length > 0) {
    throw new UsageError(
      "-c, --enable and --disable cannot change another server's configuration: give them to that server",
    );
  }
  if (/^(wss?|unix):\/\//.test(server)) {
    const token = request.tokenFile === undefined ? undefined : (await Bun.file(request.tokenFile).text()).trim();
    return owning(await CodexClient.connect(server, { ...client, token }));
  }
  if (/^\w+:\/\//.test(server))
    throw new UsageError(
      `invalid value '${server}' for '--server <SERVER>': expected ws://, wss://, unix:// or a command`,
    );
  return owning(await CodexClient.spawn({ ...client, command: splitWords(server) }));
}

function owning(client: CodexClient): Connected {
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

/** Client and server in one process, joined in memory. */
async function embedded(request: ConnectRequest, options: CommonOptions): Promise<Connected> {
  const [{ createLog, createServer }, { memoryPair }] = await Promise.all([
    import("@quire/server"),
    import("@quire/jsonrpc/memory"),
  ]);
  const { env } = process;
  const server = createServer({
    configOverrides: request.overrides,
    env,
    log: createLog({ env }),
    sessionSource: request.source,
  });
  const [near, far] = memoryPair();
  server.accept(far);
  const dialer: Dialer = { dial: () => near, isSocket: false, canRedial: false };
  const client = new CodexClient(options, dialer);
  try {
    await client.connect();
  } catch (error) {
    await server.close();
    throw error;
  }
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.close();
    },
  };
}
