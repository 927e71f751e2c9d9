import { join } from "node:path";
import { connectWebSocket } from "@quire/jsonrpc/websocket";
import type { ThreadItem, Turn } from "@quire/protocol";
import {
  listen,
  type ModelMock,
  mockAnthropic,
  mockChat,
  mockGemini,
  mockResponses,
  type TomlValue,
} from "@quire/testkit";
import { TestClient } from "../../support/test-client.ts";
import { type TestHome, type TestServer, testHome } from "../../support/test-server.ts";

/** A wire, its mock, and how a provider's row names it. */
export interface Wire {
  readonly name: string;
  /** The API that it speaks. */
  readonly api: "responses" | "chat" | "anthropic" | "gemini";
  /** The keys of a provider's row that choose it. */
  readonly row: Readonly<Record<string, string>>;
  start(): Promise<ModelMock>;
  /** A name of a model that the wire's mock and package take for one of the newest. */
  readonly model: string;
  /** What goes back of reasoning that says `I look first` and is sealed as `SEALED`, with the call that it led to. */
  readonly reasoning: string | undefined;
}

const claude = { api: "anthropic", model: "claude-sonnet-4-5", start: mockAnthropic } as const;
const open = { api: "chat", model: "open-model", start: mockChat, reasoning: "I look first" } as const;

export const wires: readonly Wire[] = [
  {
    name: "responses",
    api: "responses",
    row: { dialect: "openai" },
    model: "gpt-5.5",
    start: () => mockResponses({ strict: "openai" }),
    reasoning: "SEALED",
  },
  {
    name: "plain responses",
    api: "responses",
    row: { dialect: "plain" },
    model: "open-model",
    start: () => mockResponses({ strict: true }),
    // Endpoints of open models read no summaries, and nothing sealed.
    reasoning: undefined,
  },
  { ...open, name: "chat", row: { wire_api: "chat" } },
  { ...claude, name: "anthropic", row: { wire_api: "anthropic" }, reasoning: "SEALED" },
  {
    name: "gemini",
    api: "gemini",
    row: { wire_api: "gemini" },
    model: "gemini-3-pro-preview",
    start: mockGemini,
    reasoning: "SEALED",
  },
  { ...open, name: "package for chat", row: { package: "@ai-sdk/openai-compatible" } },
  { ...claude, name: "package for anthropic", row: { package: "@ai-sdk/anthropic" }, reasoning: "SEALED" },
];

/** The wire of a name. */
export function wireNamed(name: string): Wire {
  const found = wires.find((wire) => wire.name === name);
  if (!found) throw new Error(`There is no wire ${name}`);
  return found;
}

/** A server in a process of its own. */
interface SpawnedServer {
  readonly client: TestClient;
  /** Ends it without a word. */
  kill(): Promise<void>;
}

/** A server whose model is behind one wire. */
export interface Stage extends AsyncDisposable {
  readonly wire: Wire;
  readonly mock: ModelMock;
  /** A second provider, `other`, of another wire. */
  readonly other: ModelMock;
  readonly otherWire: Wire;
  readonly place: TestHome;
  readonly client: TestClient;
  readonly cwd: string;
  /** Opens another server on the same home, after the first has been closed. */
  reopen(): Promise<TestClient>;
  /** Starts a server on the same home in a process of its own, after the first has been closed. */
  spawn(): Promise<SpawnedServer>;
  close(): Promise<void>;
}

const key = "WIRE_KEY";
const env = { [key]: "sk-secret-of-the-user" };
const quire = join(import.meta.dirname, "..", "..", "..", "..", "cli", "bin", "quire");

async function spawnServer({ home, cwd }: TestHome): Promise<SpawnedServer> {
  const server = await listen({
    command: quire,
    args: ["app-server"],
    env: { PATH: process.env.PATH ?? "", HOME: home, QUIRE_HOME: home, ...env },
    cwd,
  });
  const client = new TestClient(await connectWebSocket(server.url));
  await client.initialize();
  return {
    client,
    kill: async () => {
      await server.kill();
      await client.close();
    },
  };
}

function row(id: string, wire: Wire, url: string, retries: number): Record<string, string | number> {
  const fields = {
    name: id,
    base_url: url,
    env_key: key,
    request_max_retries: retries,
    stream_max_retries: retries,
    stream_idle_timeout_ms: 30_000,
    ...wire.row,
  };
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [`model_providers.${id}.${field}`, value] as const),
  );
}

export interface StageOptions {
  /** Retries of requests and streams. Default 1. */
  readonly retries?: number;
  readonly config?: Readonly<Record<string, TomlValue>>;
  /** False for a provider whose row names no key. Default true. */
  readonly key?: boolean;
  /** True to have `other` asked when the provider has an outage. */
  readonly hasFallback?: boolean;
}

export async function stage(
  wire: Wire,
  { retries = 1, config = {}, key: hasKey = true, hasFallback = false }: StageOptions = {},
): Promise<Stage> {
  const otherWire = wires[(wires.indexOf(wire) + 1) % wires.length] ?? wire;
  const [mock, other] = await Promise.all([wire.start(), otherWire.start()]);
  const own = row("own", wire, mock.url, retries);
  if (!hasKey) delete own["model_providers.own.env_key"];
  const fallback = hasFallback ? { "model_providers.own.fallback": [`other/${otherWire.model}`] } : {};
  const place = await testHome({
    config: {
      modelName: wire.model,
      config: { model_provider: "own", ...own, ...row("other", otherWire, other.url, retries), ...fallback, ...config },
    },
  });
  let server: TestServer | undefined;
  let spawned: SpawnedServer | undefined;
  const openServer = async () => {
    server = await place.open({ env });
    return server.client;
  };
  const client = await openServer();
  return {
    wire,
    mock,
    other,
    otherWire,
    place,
    client,
    cwd: place.cwd,
    reopen: openServer,
    spawn: async () => {
      spawned = await spawnServer(place);
      return spawned;
    },
    close: async () => server?.close(),
    async [Symbol.asyncDispose]() {
      await spawned?.kill();
      await place[Symbol.asyncDispose]();
      await Promise.all([mock.close(), other.close()]);
    },
  };
}

/** Messages of the agent, in their order. */
export function said(client: TestClient): string[] {
  return client.items.flatMap((item) => (item.type === "agentMessage" ? [item.text] : []));
}

export function itemsOf<Type extends ThreadItem["type"]>(
  client: TestClient,
  type: Type,
): Extract<ThreadItem, { type: Type }>[] {
  return client.items.filter((item): item is Extract<ThreadItem, { type: Type }> => item.type === type);
}

/** The kind of a failed turn's error. */
export function kindOf({ error }: Turn): string {
  const info = error?.codexErrorInfo;
  return typeof info === "string" ? info : (Object.keys(info ?? {})[0] ?? "none");
}
