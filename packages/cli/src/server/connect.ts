import { CodexClient, type CommonOptions, ConnectionError, type Dialer } from "@quire/client";
import { failureMessage } from "@quire/client/link";
import type { SessionSource } from "@quire/protocol";
import { type ConfigFlagValues, configOverrides } from "../args/config-flags.ts";
import type { Flags } from "../args/flag.ts";
import { splitWords } from "../args/split-words.ts";
import { UsageError } from "../args/usage-error.ts";
import { withDaemon } from "../daemon/daemon-address.ts";
import { embeddedServer } from "./embedded-server.ts";

/** Options by which every command finds its server. */
export const serverFlags = {
  server: {
    type: "text",
    short: "S",
    value: "SERVER",
    fallback: "a new server in this process",
    help: 'Use another server: ws://…, wss://…, unix://PATH, unix:// (the daemon), or a command that serves stdin and stdout, such as "codex app-server".',
  },
  tokenFile: { type: "text", value: "PATH", help: "File with the bearer token for a ws:// or wss:// server." },
} as const satisfies Flags;

/** Values of {@link serverFlags} and of the configuration options. */
export interface ServerFlagValues extends ConfigFlagValues {
  readonly server: string | undefined;
  readonly tokenFile: string | undefined;
}

/** Identity of the client towards a server. */
export interface ConnectOptions {
  readonly source: SessionSource;
  readonly client?: CommonOptions;
}

/** A client and whatever was started for it. */
export interface Connected extends AsyncDisposable {
  readonly client: CodexClient;
}

/** True if the server is a program of this machine, so that it sees the same files. */
export const isLocal = (server: string | undefined): boolean => server === undefined || !isAddress(server);

const isAddress = (server: string): boolean => /^(wss?|unix):\/\//.test(server);

/** Connects to the server asked for, or starts one in this process. A lost connection is not made again. */
export async function connect(given: ServerFlagValues, { source, client: own }: ConnectOptions): Promise<Connected> {
  const client: CommonOptions = { clientName: "quire", clientTitle: "Quire", reconnect: false, ...own };
  const { server, tokenFile } = given;
  const overrides = configOverrides(given);
  if (tokenFile !== undefined && !/^wss?:/.test(server ?? ""))
    throw new UsageError("'--token-file <PATH>' requires --server ws://… or wss://…");
  if (server === undefined) return embedded({ configOverrides: overrides, sessionSource: source }, client);
  if (Object.keys(overrides).length > 0) {
    throw new UsageError("-c, --enable and --disable cannot configure another server: pass them where you start it");
  }
  return owning(await (isAddress(server) ? byAddress(server, tokenFile, client) : byCommand(server, client)));
}

async function byAddress(server: string, tokenFile: string | undefined, client: CommonOptions): Promise<CodexClient> {
  if (/^wss?:\/\/[^/]*@/.test(server))
    throw new UsageError(
      "pass the token with --token-file, not in the address: other users can read your command line",
    );
  const token = tokenFile === undefined ? undefined : await readToken(tokenFile);
  try {
    return await CodexClient.connect(await withDaemon(server), { ...client, token });
  } catch (error) {
    throw withRemedy(error, addressRemedy(server, error));
  }
}

async function byCommand(server: string, client: CommonOptions): Promise<CodexClient> {
  if (/^\w+:\/\//.test(server) || server.trim() === "")
    throw new UsageError(
      `invalid value '${server}' for '--server <SERVER>': expected ws://, wss://, unix:// or a command`,
    );
  try {
    return await CodexClient.spawn({ ...client, command: splitWords(server) });
  } catch (error) {
    if (!ConnectionError.is(error) || error.code === "spawn-failed") throw error;
    throw withRemedy(error, `\`${server}\` must speak the protocol over stdin and stdout, like \`codex app-server\`.`);
  }
}

async function readToken(file: string): Promise<string> {
  (await import("../lib/warn-if-readable.ts")).warnIfReadable(file);
  const wrong = (why: string) => new UsageError(`invalid value '${file}' for '--token-file <PATH>': ${why}`);
  const text = await Bun.file(file)
    .text()
    .catch((error: Error) => {
      throw wrong(error.message);
    });
  if (text.trim() === "") throw wrong("the file is empty");
  return text.trim();
}

function addressRemedy(server: string, error: unknown): string {
  if (/\b401\b/.test(String(error))) return "It requires a token: pass its file with --token-file.";
  if (server === "unix://") return "Start it: quire app-server daemon start.";
  const start = /^(unix:|ws:\/\/127\.)/.test(server) ? `, or start one: quire app-server --listen ${server}` : ".";
  return `Check that a server is listening there${start}`;
}

function withRemedy(error: unknown, remedy: string): Error {
  return new Error(`${failureMessage(error)}. ${remedy}`, { cause: error });
}

function owning(client: CodexClient): Connected {
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

/** Client and server in one process, joined in memory. */
async function embedded(options: Parameters<typeof embeddedServer>[0], own: CommonOptions): Promise<Connected> {
  const server = embeddedServer(options);
  const dialer: Dialer = { dial: server.dial, isSocket: false, canRedial: false };
  const client = new CodexClient(own, dialer);
  try {
    await client.connect();
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
