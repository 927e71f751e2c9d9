import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** Any message, as parsed. */
export interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  jsonrpc?: string;
}

/** Starts the scripted server with pipes, its stderr ours. */
export function startServer([program = "", ...args]: readonly string[]): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
}

/** Splits on 0x0A and parses, nothing else. Of the ways tried (by byte, by `setEncoding` and split), the fastest. */
export function bareLoop(stream: Readable, receive: (message: Message) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  stream.on("data", (chunk: Buffer) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = bytes.lastIndexOf(0x0a);
    rest = bytes.subarray(end + 1);
    if (end > 0) for (const line of bytes.toString("utf8", 0, end).split("\n")) receive(JSON.parse(line));
  });
}
