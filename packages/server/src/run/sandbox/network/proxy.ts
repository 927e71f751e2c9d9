import { mkdirSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import type { NetworkApprovalProtocol } from "@quire/protocol";
import { SandboxUnavailable } from "../unavailable.ts";
import { addressesOf, isLocalAddress } from "./addresses.ts";
import { ProxiedBody } from "./proxied-body.ts";
import { type Destination, maxHeadBytes, readHead } from "./request-head.ts";
import { greetingLength, readSocks, socksReply, socksWelcome } from "./socks.ts";

/** A request to reach a host. */
export interface Passage extends Destination {
  readonly protocol: Exclude<NetworkApprovalProtocol, "socks5Udp">;
}

/** The decision about a passage. */
export interface Verdict {
  readonly refusal?: string;
  /** True when the host may be this machine or in a network behind it. */
  readonly local: boolean;
  /** True when a rule denies an address, under any name. */
  denies?(address: string): boolean;
}

/** Judges a passage. */
export type Gate = (passage: Passage) => Promise<Verdict>;

const maxConnections = 256;

/** The way out of one sandbox: a proxy on a socket that only the server and the bridge beside the sandbox can open. */
export class NetworkProxy {
  readonly socket: string;
  readonly #server: Server;
  readonly #gate: Gate;
  readonly #open = new Set<Socket>();

  /**
   * Listens until closed.
   * @param home The server's home, where no command writes: the bridge trusts the socket's path.
   */
  constructor(home: string, gate: Gate) {
    this.#gate = gate;
    this.socket = socketPath(home);
    this.#server = createServer((client) => void this.#serve(client));
    this.#server.maxConnections = maxConnections;
    // A command that cannot connect is simply refused.
    this.#server.on("error", () => undefined);
    this.#server.listen(this.socket);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    rmSync(this.socket, { force: true });
  }

  async #serve(client: Socket): Promise<void> {
    this.#keep(client);
    try {
      const reader = new Reader(client);
      const first = await reader.until((bytes) => (bytes.length > 0 ? 0 : undefined));
      if (first === undefined) return;
      if (reader.peek() === 5) await this.#serveSocks(client, reader);
      else await this.#serveHttp(client, reader);
    } catch {
      client.destroy();
    }
  }

  async #serveHttp(client: Socket, reader: Reader): Promise<void> {
    const head = await reader.until((bytes) => {
      const end = bytes.indexOf("\r\n\r\n");
      return end < 0 ? undefined : end + 4;
    });
    const request = head && readHead(head.subarray(0, -4).toString("latin1"));
    if (!request) return refuse(client, 400, "this is no request to a proxy");
    const protocol = request.kind === "tunnel" ? "https" : "http";
    const way = await this.#reach({ host: request.host, port: request.port, protocol });
    if (typeof way === "string") return refuse(client, 403, way);
    if (request.kind === "tunnel") {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      return splice(client, way, reader.rest());
    }
    way.write(request.head, "latin1");
    splice(client, way, reader.rest(), new ProxiedBody(request.body));
  }

  async #serveSocks(client: Socket, reader: Reader): Promise<void> {
    if (!(await reader.until(greetingLength))) return;
    client.write(socksWelcome);
    const request = await reader.until((bytes) => readSocks(bytes)?.length);
    const to = request && readSocks(request)?.to;
    if (!to) return void client.end(socksReply(7));
    const way = await this.#reach({ ...to, protocol: "socks5Tcp" });
    if (typeof way === "string") return void client.end(socksReply(2));
    client.write(socksReply(0));
    splice(client, way, reader.rest());
  }

  /** A connection to the host, or the reason why there is none. */
  async #reach(passage: Passage): Promise<Socket | string> {
    const verdict = await this.#gate(passage);
    if (verdict.refusal !== undefined) return verdict.refusal;
    let addresses: string[];
    try {
      addresses = await addressesOf(passage.host);
    } catch {
      return `${passage.host} is not known`;
    }
    // A name that anybody can register may lead to this machine.
    const others = verdict.local ? addresses : addresses.filter((address) => !isLocalAddress(address));
    if (others.length === 0)
      return `${passage.host} leads to a local or private address, which sandboxed commands cannot reach`;
    const address = others.find((each) => verdict.denies?.(each) !== true);
    if (address === undefined) return `${passage.host} leads to an address that a rule denies`;
    return this.#connect(address, passage.port);
  }

  #connect(host: string, port: number): Promise<Socket | string> {
    return new Promise((resolve) => {
      const way = connect({ host, port });
      this.#keep(way);
      way.once("connect", () => resolve(way));
      way.once("error", (error) => resolve(`${host} port ${port} cannot be reached: ${error.message}`));
    });
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#open.delete(socket));
  }
}

/** The system's limit for socket paths, in bytes. */
const maxSocketPath = 104;

function socketPath(home: string): string {
  const folder = join(home, "net");
  const path = join(folder, `${process.pid}-${Bun.randomUUIDv7().slice(-12)}`);
  if (Buffer.byteLength(path) > maxSocketPath) {
    throw new SandboxUnavailable(
      `the path of the server's home, ${home}, is too long for a socket; choose a shorter one`,
    );
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return path;
}

/** Reads the beginning of a connection; the rest is left to others. */
class Reader {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  peek(): number | undefined {
    return this.#bytes[0];
  }

  rest(): Buffer {
    return this.#bytes;
  }

  /** The bytes up to where `end` says; `undefined` when the connection ends before. Throws on too many. */
  async until(end: (bytes: Buffer) => number | undefined): Promise<Buffer | undefined> {
    for (;;) {
      const at = end(this.#bytes);
      if (at !== undefined) {
        const taken = this.#bytes.subarray(0, at);
        this.#bytes = this.#bytes.subarray(at);
        return taken;
      }
      if (this.#bytes.length > maxHeadBytes) throw new Error("the head is too long");
      const more = await this.#next();
      if (more === undefined) return undefined;
      this.#bytes = Buffer.concat([this.#bytes, more]);
    }
  }

  #next(): Promise<Buffer | undefined> {
    const socket = this.#socket;
    return new Promise((resolve) => {
      const done = (bytes?: Buffer) => {
        socket.pause();
        socket.off("data", done).off("end", ended).off("close", ended);
        resolve(bytes);
      };
      const ended = () => done();
      socket.on("data", done).on("end", ended).on("close", ended);
      socket.resume();
    });
  }
}

/** @param body Filters the client's bytes; none passes all. */
function splice(client: Socket, way: Socket, first: Buffer, body?: ProxiedBody): void {
  const from = body ? client.pipe(body) : client;
  body?.on("error", () => client.destroy());
  if (first.length > 0) (body ?? way).write(first);
  // An answer may come after the last of the request.
  from.pipe(way, { end: body === undefined });
  way.pipe(client);
  client.on("close", () => way.destroy());
  way.on("close", () => client.destroySoon());
}

function refuse(client: Socket, status: 400 | 403, reason: string): void {
  const body = `${JSON.stringify({ status: "blocked", message: reason })}\n`;
  const head = [
    `HTTP/1.1 ${status} ${status === 403 ? "Forbidden" : "Bad Request"}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  client.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
