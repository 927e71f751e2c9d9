import type { ServerPort } from "@quire/client";
import { Connection } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import { type ClientMethods, parseUserAgent, type ServerMethods } from "@quire/protocol";
import { type MockResponses, mockResponses, type RealCodex, realCodex, reply, waitUntilStored } from "@quire/testkit";

/** A real Codex with a mock model, initialized, seen through nothing but a bare connection. */
export interface RealPort extends ServerPort, AsyncDisposable {
  readonly codex: RealCodex;
  readonly mock: MockResponses;
  /** Starts a thread, runs one turn in it with this text, waits until it can be read, and gives the thread's id. */
  startThread(text: string): Promise<string>;
  /** Runs one more turn, and waits until it can be read. */
  runTurn(threadId: string, text: string): Promise<void>;
}

export async function realPort(version: string): Promise<RealPort> {
  const mock = await mockResponses({ fallback: reply().text("An answer.") });
  const codex = await realCodex(version, { model: mock });
  const connection = new Connection<ServerMethods, ClientMethods>(spawnTransport(codex), { requestTimeoutMs: 30_000 });
  const anyConnection = connection as unknown as Connection;
  const { userAgent } = await connection.request("initialize", {
    clientInfo: { name: "test", title: null, version: "1" },
    capabilities: { experimentalApi: true },
  });
  connection.notify("initialized");

  const runTurn = async (threadId: string, text: string) => {
    let stop = () => {};
    const completed = new Promise<void>((resolve, reject) => {
      stop = connection.on("turn/completed", (params) => {
        if (params.threadId === threadId) resolve();
      });
      void connection.closed.then((error) => reject(error ?? new Error("closed")));
    });
    await connection.request("turn/start", { threadId, input: [{ type: "text", text, text_elements: [] }] });
    await completed;
    stop();
    const read = async () => (await connection.request("thread/read", { threadId, includeTurns: true })).thread;
    await waitUntilStored(read, text);
  };

  return {
    codex,
    mock,
    runTurn,
    serverVersion: parseUserAgent(userAgent),
    ended: connection.closed,
    request: (method, ...args) => connection.request(method, ...(args as never)),
    requestUntyped: (method, params, options) => anyConnection.request(method, params, options),
    onReconnected: () => () => undefined,
    onNotification: (method, listener) => connection.on(method, (params) => listener(params as never)),
    async startThread(text) {
      const { thread } = await connection.request("thread/start", { cwd: codex.cwd });
      await runTurn(thread.id, text);
      return thread.id;
    },
    async [Symbol.asyncDispose]() {
      await connection.close();
      await codex[Symbol.asyncDispose]();
      await mock[Symbol.asyncDispose]();
    },
  };
}
