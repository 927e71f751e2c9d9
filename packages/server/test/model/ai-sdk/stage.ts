import type { ThreadItem, Turn } from "@quire/protocol";
import { type ModelMock, mockAnthropic, mockChat, mockGemini, mockResponses, type TomlValue } from "@quire/testkit";
import type { TestClient } from "../../support/test-client.ts";
import { type TestHome, type TestServer, testHome } from "../../support/test-server.ts";

/** A wire, its mock, and how a provider's row names it. */
export interface Wire {
  readonly name: "responses" | "chat" | "anthropic" | "gemini";
  start(): Promise<ModelMock>;
  /** A name of a model that the wire's mock and package take for one of the newest. */
  readonly model: string;
}

export const wires: readonly Wire[] = [
  { name: "responses", model: "open-model", start: () => mockResponses({ strict: true }) },
  { name: "chat", model: "open-model", start: mockChat },
  { name: "anthropic", model: "claude-sonnet-4-5", start: mockAnthropic },
  { name: "gemini", model: "gemini-3-pro-preview", start: mockGemini },
];

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
  close(): Promise<void>;
}

const key = "WIRE_KEY";

function row(id: string, wire: Wire, url: string, retries: number): Record<string, string | number> {
  const at = (field: string) => `model_providers.${id}.${field}`;
  return {
    [at("name")]: id,
    [at("base_url")]: url,
    [at("wire_api")]: wire.name,
    [at("env_key")]: key,
    ...(wire.name === "responses" && { [at("dialect")]: "plain" }),
    [at("request_max_retries")]: retries,
    [at("stream_max_retries")]: retries,
    [at("stream_idle_timeout_ms")]: 30_000,
  };
}

export interface StageOptions {
  /** Retries of requests and streams. Default 1. */
  readonly retries?: number;
  readonly config?: Readonly<Record<string, TomlValue>>;
  /** False for a provider whose row names no key. Default true. */
  readonly key?: boolean;
}

export async function stage(
  wire: Wire,
  { retries = 1, config = {}, key: hasKey = true }: StageOptions = {},
): Promise<Stage> {
  const otherWire = wires[(wires.indexOf(wire) + 1) % wires.length] ?? wire;
  const [mock, other] = await Promise.all([wire.start(), otherWire.start()]);
  const own = row("mock", wire, mock.url, retries);
  if (!hasKey) delete own["model_providers.mock.env_key"];
  const place = await testHome({
    config: {
      modelName: wire.model,
      config: { ...own, ...row("other", otherWire, other.url, retries), ...config },
    },
  });
  let server: TestServer | undefined;
  const open = async () => {
    server = await place.open({ env: { [key]: "sk-secret-of-the-user" } });
    return server.client;
  };
  const client = await open();
  return {
    wire,
    mock,
    other,
    otherWire,
    place,
    client,
    cwd: place.cwd,
    reopen: open,
    close: async () => server?.close(),
    async [Symbol.asyncDispose]() {
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
