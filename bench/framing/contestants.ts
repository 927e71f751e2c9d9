/** Runs a contestant in a process of its own; prints the time of a run, in ms. `main.ts` compares them. */
import { Duplex, Readable, Writable } from "node:stream";
import { Connection } from "@quire/jsonrpc";
import { StreamTransport } from "@quire/jsonrpc/stdio";
import { JSONRPCClient, JSONRPCServer, JSONRPCServerAndClient } from "json-rpc-2.0";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { messages, requests } from "./sizes.ts";

const inFlight = 256;
const patienceMs = 3000;
const method = "item/agentMessage/delta";

const notification = (n: number) =>
  JSON.stringify({ method, params: { threadId: "0199a213", turnId: "turn-7", itemId: "msg-1", delta: `word ${n} ` } });

/** The same messages as bytes in 64 KB chunks, as a pipe would deliver them. */
function chunked(frame: (json: string) => string): Buffer[] {
  const all = Buffer.from(Array.from({ length: messages }, (_, n) => frame(notification(n))).join(""));
  const chunks: Buffer[] = [];
  for (let at = 0; at < all.length; at += 65_536) chunks.push(all.subarray(at, at + 65_536));
  return chunks;
}

const lines = chunked((json) => `${json}\n`);
const headed = chunked((json) => `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
const withVersion = chunked((json) => `{"jsonrpc":"2.0",${json.slice(1)}\n`);

const source = (chunks: readonly Buffer[]) => {
  let at = 0;
  return new Readable({
    read() {
      this.push(chunks[at++] ?? null);
    },
  });
};
const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Resolves with the time from the call of `start` to the last message. */
function timed(start: (received: () => void) => void, total: number): Promise<number> {
  return new Promise((resolve) => {
    let left = total;
    const began = performance.now();
    start(() => {
      if (--left === 0) resolve(performance.now() - began);
    });
  });
}

/** Splits on 0x0A and parses, nothing else. Of the ways tried (by byte, by `setEncoding` and split), the fastest. */
function bareLoop(stream: Readable, receive: (message: Record<string, unknown>) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  stream.on("data", (chunk: Buffer) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = bytes.lastIndexOf(0x0a);
    rest = bytes.subarray(end + 1);
    if (end > 0) for (const line of bytes.toString("utf8", 0, end).split("\n")) receive(JSON.parse(line));
  });
}

const receiving = {
  bare: () => timed((received) => bareLoop(source(lines), received), messages),
  quire: () =>
    timed((received) => {
      const connection = new Connection(new StreamTransport(source(lines), nowhere()));
      connection.on(method, received);
    }, messages),
  "vscode-jsonrpc": () =>
    timed((received) => {
      const connection = createMessageConnection(
        new StreamMessageReader(source(headed)),
        new StreamMessageWriter(nowhere()),
      );
      connection.onNotification(method, received);
      connection.listen();
    }, messages),
  "json-rpc-2.0": () =>
    timed((received) => {
      const server = new JSONRPCServer();
      server.addMethod(method, received);
      bareLoop(source(withVersion), (message) => void server.receive(message as never));
    }, messages),
};

/** A peer that answers every line with its id; as cheap as can be, so that the caller's cost shows. */
function echo(reply: (id: number) => string): Duplex {
  let rest = "";
  return new Duplex({
    read() {},
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const parts = (rest + chunk.toString()).split("\n");
      rest = parts.pop() ?? "";
      let out = "";
      for (const line of parts) out += reply(Number(/"id":(\d+)/.exec(line)?.[1]));
      this.push(Buffer.from(out));
      done();
    },
  });
}
const plainReply = (id: number) => `{"id":${id},"result":{"data":[],"nextCursor":null}}\n`;

/** Keeps `inFlight` calls open until all are answered. */
async function calls(call: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  let left = requests;
  const worker = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return performance.now() - began;
}

const calling = {
  bare: () => {
    const peer = echo(plainReply);
    const pending = new Map<number, (result: unknown) => void>();
    let next = 0;
    bareLoop(peer, (message) => {
      const id = message.id as number;
      pending.get(id)?.(message.result);
      pending.delete(id);
    });
    return calls(
      () =>
        new Promise((resolve) => {
          const id = next++;
          pending.set(id, resolve);
          peer.write(`${JSON.stringify({ method: "thread/loaded/list", id, params: {} })}\n`);
        }),
    );
  },
  /** The same with all requests of one tick in one write, as a Connection sends them: what is left is its own cost. */
  "bare, batched": () => {
    const peer = echo(plainReply);
    const pending = new Map<number, (result: unknown) => void>();
    let next = 0;
    let outgoing = "";
    bareLoop(peer, (message) => {
      const id = message.id as number;
      pending.get(id)?.(message.result);
      pending.delete(id);
    });
    const flush = () => {
      peer.write(outgoing);
      outgoing = "";
    };
    return calls(
      () =>
        new Promise((resolve) => {
          const id = next++;
          pending.set(id, resolve);
          if (outgoing === "") queueMicrotask(flush);
          outgoing += `${JSON.stringify({ method: "thread/loaded/list", id, params: {} })}\n`;
        }),
    );
  },
  quire: async () => {
    const peer = echo(plainReply);
    const connection = new Connection(new StreamTransport(peer, peer), { requestTimeoutMs: 30_000 });
    const time = await calls(() => connection.request("thread/loaded/list", {}));
    await connection.close();
    return time;
  },
  "json-rpc-2.0": () => {
    const peer = echo((id) => `{"jsonrpc":"2.0",${plainReply(id).slice(1)}`);
    const both = new JSONRPCServerAndClient(
      new JSONRPCServer(),
      new JSONRPCClient((request) => void peer.write(`${JSON.stringify(request)}\n`)),
    );
    bareLoop(peer, (message) => void both.receiveAndSend(message));
    return calls(async () => both.request("thread/loaded/list", {}));
  },
};

const contestants: Record<string, Record<string, () => Promise<number>>> = { receiving, calling };
const [kind = "", name = ""] = process.argv.slice(2);
const run = contestants[kind]?.[name];
if (!run) throw new Error(`There is no contestant ${kind} ${name}`);
// The best run counts: the others differ from it by what the machine and the compiler did meanwhile, on a small machine
// by half. Who is slow gets by with fewer runs.
const times: number[] = [];
const began = performance.now();
do times.push(await run());
while (times.length < 16 && performance.now() - began < patienceMs);
console.log(JSON.stringify(Math.min(...times)));
process.exit(0);
