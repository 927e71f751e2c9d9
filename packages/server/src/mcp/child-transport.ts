import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { startOwned } from "../run/process/process-table.ts";
import type { RunningProcess } from "../run/process/running-process.ts";

/** A longer message ends the server. */
const maxMessageBytes = 16 * 1024 * 1024;
/** Lines that are no messages; a server that writes more speaks another protocol. */
const maxBadLines = 1000;

/** Options of a server's process. */
export interface ChildOptions {
  readonly owner: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onStderr: (text: string) => void;
}

/**
 * Speaks MCP with a process over stdin and stdout, one message per line. The process leads its own group; closing ends
 * it with all descendants. Reading pauses while messages are handled, so that a flood costs no memory.
 */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: ChildOptions;
  #process: RunningProcess | undefined;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #badLines = 0;
  #closing: Promise<void> | undefined;
  /** The reason for its end, if the server is to blame. */
  failure: string | undefined;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { owner, argv, cwd, env, onStderr } = this.#options;
    this.#process = startOwned(owner, {
      argv,
      cwd,
      env,
      stdin: true,
      separate: true,
      onOutput: (bytes, from) => {
        if (from === "stdout") return this.#take(bytes);
        onStderr(Buffer.from(bytes.subarray(0, 4096)).toString("utf8"));
      },
    });
    void this.#process.exited.then((status) => {
      this.failure ??= `the process ended (${JSON.stringify(status)})`;
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#process?.writable) throw new Error("Transport closed");
    await this.#process.write(`${JSON.stringify(message)}\n`);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const running = this.#process;
    if (running === undefined) return;
    // The end of its input asks a server to exit; one that ignores it is killed.
    await running.closeStdin().catch(() => undefined);
    await running.kill();
    await running.exited;
  }

  async #take(bytes: Uint8Array): Promise<void> {
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      this.#line(bytes.subarray(start, end));
      start = end + 1;
    }
    if (start < bytes.length) {
      this.#pending.push(bytes.slice(start));
      this.#pendingBytes += bytes.length - start;
    }
    if (this.#pendingBytes > maxMessageBytes) this.#giveUp(`a message is longer than ${maxMessageBytes} bytes`);
    // A server that never pauses leaves others their turn.
    await new Promise((resolve) => setImmediate(resolve));
  }

  #line(tail: Uint8Array): void {
    const line = Buffer.concat([...this.#pending, tail])
      .toString("utf8")
      .trim();
    this.#pending = [];
    this.#pendingBytes = 0;
    if (line === "" || this.failure !== undefined) return;
    let message: JSONRPCMessage;
    try {
      message = JSONRPCMessageSchema.parse(JSON.parse(line));
    } catch {
      this.#badLines += 1;
      if (this.#badLines > maxBadLines) this.#giveUp(`${maxBadLines} lines on stdout were no messages`);
      else this.onerror?.(new Error("a line on stdout is not a message"));
      return;
    }
    this.onmessage?.(message);
  }

  #giveUp(why: string): void {
    if (this.failure !== undefined) return;
    this.failure = why;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.onerror?.(new Error(why));
    void this.close();
  }
}
