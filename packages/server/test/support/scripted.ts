import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AnyMethods, Connection } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import type { ThreadItem, Turn } from "@quire/protocol";
import { codexConfigToml, type MockResponses, mockResponses, type Reply, reply } from "@quire/testkit";
import { embedded } from "./embedded.ts";

/** A server in this process whose model says what the test wrote down. */
export interface Scripted extends AsyncDisposable {
  readonly model: MockResponses;
  readonly rpc: Connection<AnyMethods>;
  /** All items that were completed, in that order. */
  readonly items: ThreadItem[];
  readonly home: string;
  /** Starts a thread in a folder that exists, under `workspace-write` and without approvals unless told otherwise. */
  thread(params: object): Promise<string>;
  /** Starts a turn; gives its end. */
  turn(threadId: string): Promise<Turn>;
  /** Interrupts the turn that runs. */
  interrupt(threadId: string): Promise<void>;
  /** Ends the server, and waits for it. */
  closeServer(): Promise<void>;
}

/** @param home A folder that exists. */
export async function scripted(home: string, env: Readonly<Record<string, string>> = {}): Promise<Scripted> {
  const model = await mockResponses();
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "config.toml"), codexConfigToml({ baseUrl: model.url }));
  const { server } = await embedded({ home, env: { PATH: process.env.PATH, HOME: home, ...env } });
  const [ours, theirs] = memoryPair();
  server.accept(theirs);
  const rpc = new Connection<AnyMethods>(ours);
  const items: ThreadItem[] = [];
  const ends = new Map<string, (turn: Turn) => void>();
  rpc.on("item/completed", (params) => void items.push((params as { item: ThreadItem }).item));
  rpc.on("turn/completed", (params) => {
    const { threadId, turn } = params as { threadId: string; turn: Turn };
    ends.get(threadId)?.(turn);
  });
  await rpc.request("initialize", {
    clientInfo: { name: "test", version: "1" },
    capabilities: { experimentalApi: true },
  });
  return {
    model,
    rpc,
    items,
    home,
    thread: async (params) => {
      const settings = { approvalPolicy: "never", sandbox: "workspace-write", ...params };
      const { thread } = (await rpc.request("thread/start", settings)) as { thread: { id: string } };
      return thread.id;
    },
    turn: async (threadId) => {
      const ended = new Promise<Turn>((resolve) => ends.set(threadId, resolve));
      await rpc.request("turn/start", { threadId, input: [{ type: "text", text: "go", text_elements: [] }] });
      return ended;
    },
    interrupt: async (threadId) => {
      const read = await rpc.request("thread/read", { threadId, includeTurns: true });
      const { thread } = read as { thread: { turns: Turn[] } };
      await rpc.request("turn/interrupt", { threadId, turnId: thread.turns.at(-1)?.id });
    },
    closeServer: () => server.close(),
    async [Symbol.asyncDispose]() {
      await rpc.close();
      await server.close();
      await model.close();
    },
  };
}

/** A reply that runs one command. */
export function command(cmd: string, more: object = {}): Reply {
  return reply().functionCall("exec_command", { cmd, login: false, ...more });
}
