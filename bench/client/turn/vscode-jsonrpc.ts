import type { Readable, Writable } from "node:stream";
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  createMessageConnection,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
} from "vscode-jsonrpc/node";
import { bareLoop, startServer } from "../bare-loop.ts";
import { prompt, type TurnContestant } from "./contestant.ts";

class LineMessageReader extends AbstractMessageReader implements MessageReader {
  readonly #stream: Readable;

  constructor(stream: Readable) {
    super();
    this.#stream = stream;
  }

  listen(callback: DataCallback): Disposable {
    bareLoop(this.#stream, (message) => callback(message as Message));
    return { dispose: () => this.#stream.destroy() };
  }
}

class LineMessageWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    super();
    this.#stream = stream;
  }

  async write(message: Message): Promise<void> {
    this.#stream.write(`${JSON.stringify(message)}\n`);
  }

  end(): void {
    this.#stream.end();
  }
}

/** Its own dispatch on lines read by the bare loop. It has no turns: notifications are listened to one by one. */
export const vscodeJsonrpc: TurnContestant = async (server) => {
  const { stdin, stdout } = startServer(server);
  const connection = createMessageConnection(new LineMessageReader(stdout), new LineMessageWriter(stdin));
  let characters = 0;
  let done: (characters: number) => void = () => {};
  connection.onNotification("item/agentMessage/delta", ({ delta }: { delta: string }) => {
    characters += delta.length;
  });
  connection.onNotification("turn/completed", () => done(characters));
  connection.onUnhandledNotification(() => {});
  connection.listen();
  await connection.sendRequest("initialize", { clientInfo: { name: "peer", title: null, version: "1" } });
  const { thread } = await connection.sendRequest<{ thread: { id: string } }>("thread/start", {});
  return async () => {
    characters = 0;
    const completed = new Promise<number>((resolve) => {
      done = resolve;
    });
    await connection.sendRequest("turn/start", { threadId: thread.id, input: [{ type: "text", text: prompt }] });
    return completed;
  };
};
