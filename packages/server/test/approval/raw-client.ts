import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { memoryPair } from "@quire/jsonrpc/memory";
import {
  codexConfigToml,
  eventually,
  type MockResponses,
  mockResponses,
  type Reply,
  reply,
  tempDir,
} from "@quire/testkit";
import { embedded } from "../support/embedded.ts";

/** A message, whichever. */
// biome-ignore lint/suspicious/noExplicitAny: tests pick fields out of whatever was said
type Message = any;

/** A client that keeps every message as it came and answers only when told to. */
class RawClient {
  readonly said: Message[] = [];
  readonly #send: (message: object) => void;
  readonly close: () => Promise<void>;
  #lastId = 0;

  constructor(transport: ReturnType<typeof memoryPair>[0]) {
    transport.start({ message: (text: string) => void this.said.push(JSON.parse(text)), closed: () => undefined });
    this.#send = (message) => void transport.send(JSON.stringify(message));
    this.close = () => transport.close();
  }

  async request(method: string, params: object): Promise<Message> {
    const id = ++this.#lastId;
    this.#send({ id, method, params });
    const { result, error } = await this.find((message) => message.id === id && message.method === undefined);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** Waits for a message. */
  find(matches: (message: Message) => boolean): Promise<Message> {
    return eventually(() => this.said.find(matches), { timeoutMs: 30_000 });
  }

  /** Waits for the server's request about an item. */
  question(itemId: string): Promise<Message> {
    return this.find(({ id, method, params }) => id !== undefined && method !== undefined && params?.itemId === itemId);
  }

  async reply(itemId: string, result: object): Promise<void> {
    this.#send({ id: (await this.question(itemId)).id, result });
  }

  async refuse(itemId: string): Promise<void> {
    this.#send({ id: (await this.question(itemId)).id, error: { code: -32000, message: "no" } });
  }

  /** Starts a thread. */
  async thread(params: object): Promise<string> {
    return (await this.request("thread/start", params)).thread.id;
  }

  async turn(threadId: string): Promise<string> {
    const input = [{ type: "text", text: "go", text_elements: [] }];
    return (await this.request("turn/start", { threadId, input })).turn.id;
  }

  /** Waits for the end of a turn; gives its status. */
  async end(turnId: string): Promise<string> {
    const ended = await this.find(({ method, params }) => method === "turn/completed" && params.turn.id === turnId);
    return ended.params.turn.status;
  }

  /** An item as it ended. */
  completed(itemId: string): Message {
    return this.said.find(({ method, params }) => method === "item/completed" && params.item.id === itemId)?.params
      .item;
  }

  /** What was said of approvals and items, in order, in short. */
  story(): string[] {
    return this.said.flatMap(({ method, params }) => {
      if (method === "thread/status/changed") {
        const { type, activeFlags = [] } = params.status;
        return [`${type} [${activeFlags}]`];
      }
      if (method === "item/started" || method === "item/completed") {
        const { type, status } = params.item;
        return type === "userMessage" || type === "agentMessage" ? [] : [`${method} ${status}`];
      }
      return /requestApproval|serverRequest|turn\/completed/.test(method) ? [method] : [];
    });
  }
}

/** A server with a scripted model and clients. */
export interface Scene extends AsyncDisposable {
  readonly model: MockResponses;
  readonly home: string;
  /** The folder that threads work in. */
  readonly cwd: string;
  /** A folder beside it. */
  readonly outside: string;
  connect(capabilities?: object): Promise<RawClient>;
}

/** Sets one up. `config` are further keys of its `config.toml`. */
export async function scene(config: Readonly<Record<string, boolean>> = {}): Promise<Scene> {
  const folder = await tempDir("quire-approval-");
  const [home, cwd, outside] = ["home", "work", "outside"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, cwd, outside]) await mkdir(path);
  const model = await mockResponses();
  await writeFile(join(home, "config.toml"), codexConfigToml({ baseUrl: model.url, config }));
  const { server, ...rest } = await embedded({ home });
  const clients: RawClient[] = [];
  return {
    model,
    home,
    cwd,
    outside,
    connect: async (capabilities = { experimentalApi: true }) => {
      const [ours, theirs] = memoryPair();
      server.accept(theirs);
      const client = new RawClient(ours);
      clients.push(client);
      await client.request("initialize", { clientInfo: { name: "test", version: "1" }, capabilities });
      return client;
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client.close();
      await rest[Symbol.asyncDispose]();
      await model.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The model runs a command. */
export function command(cmd: string, more: object = {}, callId = "call-1"): Reply {
  return reply().functionCall("exec_command", { cmd, ...more }, { callId });
}

/** The model adds a file. */
export function addition(path: string, callId = "call-1"): Reply {
  const patch = `*** Begin Patch\n*** Add File: ${path}\n+new\n*** End Patch`;
  return command(`apply_patch <<'EOF'\n${patch}\nEOF\n`, {}, callId);
}
