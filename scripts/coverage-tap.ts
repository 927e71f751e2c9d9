/**
 * Loaded before tests with `bun test --preload`: writes down which methods travel between the client and each version
 * of Codex, and how each request ended. One JSON object a line, each once, in the file that `QUIRE_COVERAGE_LOG` names.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Transport, TransportSink } from "@quire/jsonrpc";
import { StreamTransport } from "@quire/jsonrpc/stdio";
import { parseUserAgent } from "@quire/protocol";
import type { Outcome, Sighting } from "./lib/coverage/wire.ts";
import { root } from "./lib/workspace.ts";

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly result?: { readonly userAgent?: string } | null;
  readonly error?: object;
}

const log = process.env.QUIRE_COVERAGE_LOG ?? "";
const written = new Set<string>();

function write(sighting: Sighting): void {
  const line = JSON.stringify(sighting);
  if (log === "" || written.has(line)) return;
  written.add(line);
  appendFileSync(log, `${line}\n`);
}

/** Records the methods seen on one connection. The server's version is unknown until it has introduced itself. */
class Tap {
  readonly #open = { in: new Map<string | number, string>(), out: new Map<string | number, string>() };
  #early: Omit<Sighting, "version">[] = [];
  #version: string | undefined;

  /** @param direction Which way the message went, as the client sees it. */
  see(direction: "in" | "out", text: string): void {
    let message: Message;
    try {
      message = JSON.parse(text) as Message;
    } catch {
      return;
    }
    const { id, method } = message;
    if (method !== undefined && id === undefined) this.#add(method, "seen");
    else if (method !== undefined && id !== undefined) this.#open[direction].set(id, method);
    else if (id !== undefined) this.#answered(direction === "in" ? "out" : "in", id, message);
  }

  #answered(asker: "in" | "out", id: string | number, { result, error }: Message): void {
    const method = this.#open[asker].get(id);
    if (method === undefined) return;
    if (method === "initialize") this.#version = parseUserAgent(result?.userAgent ?? "");
    this.#add(method, error === undefined ? "answered" : "refused");
  }

  #add(method: string, outcome: Outcome): void {
    this.#early.push({ method, outcome });
    const version = this.#version;
    if (version !== undefined) for (const each of this.#early.splice(0)) write({ version, ...each });
  }
}

const taps = new WeakMap<object, Tap>();

function tapOf(transport: object): Tap {
  const tap = taps.get(transport) ?? new Tap();
  taps.set(transport, tap);
  return tap;
}

/** A transport may be started with more than a sink, by who owns it. */
interface Tapped extends Omit<Transport, "start"> {
  start(sink: TransportSink, ...more: unknown[]): void;
}

function tapInto({ prototype }: { readonly prototype: Tapped }): void {
  const { start, send } = prototype;
  prototype.start = function (this: Tapped, sink: TransportSink, ...more: unknown[]) {
    const message = (text: string) => {
      tapOf(this).see("in", text);
      sink.message(text);
    };
    start.call(this, { message, closed: (error) => sink.closed(error) }, ...more);
  };
  prototype.send = function (this: Tapped, text: string) {
    tapOf(this).see("out", text);
    send.call(this, text);
  };
}

tapInto(StreamTransport as { readonly prototype: Tapped });
// No entry exports this one: programs get it from `connectWebSocket` alone.
const file: string = join(root, "packages", "jsonrpc", "src", "websocket", "transport.ts");
tapInto(((await import(file)) as { WebSocketTransport: { prototype: Tapped } }).WebSocketTransport);
