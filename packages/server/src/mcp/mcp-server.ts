import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  ElicitRequestSchema,
  type ElicitResult,
  McpError,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { ServerConfig } from "../config/mcp-config.ts";
import { isTooDeep } from "../lib/bounded-json.ts";
import { isTable, type Table } from "../lib/table.ts";
import { untilAborted } from "../lib/until-aborted.ts";
import { codexVersion } from "../lib/version.ts";
import { type EventOptions, EventRouter } from "./event-router.ts";
import { openTransport, type TransportContext } from "./open-transport.ts";
import { PausableTimeout } from "./pausable-timeout.ts";
import { type CheckedTools, checkTools } from "./server-tools.ts";

/** Disables the SDK's own timers: they cannot pause while a user is asked. */
const never = 2 ** 31 - 1;
/** Pages of a list; a server with more is looping. */
const maxPages = 100;
/** Pending questions of one server; further ones are declined. */
const maxQuestions = 8;

/** An MCP server's question to a user. */
export type Elicitation = Readonly<Record<string, unknown>>;

/** The services that a server gets from the program around it. */
export interface ServerHost extends TransportContext {
  /** Asks a user. Must settle. */
  readonly elicit: (request: Elicitation) => Promise<ElicitResult>;
  /** Called when the server's tools have changed or it is gone. */
  readonly onChange: () => void;
}

/** An error with which a server answered. */
export class ServerAnswer extends Error {
  override readonly name = "ServerAnswer";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Options of a request. */
export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: ((message: string) => void) | undefined;
}

/** A running MCP server. The caller closes it. */
export class McpServer {
  readonly config: ServerConfig;
  readonly #client: Client;
  readonly #host: ServerHost;
  readonly #timeouts = new Set<PausableTimeout>();
  readonly #streams = new EventRouter();
  #checked: CheckedTools = { tools: [], problems: [] };
  #toolListMeta: unknown = null;
  /** Set when the server has gone by itself. */
  lost: string | undefined;
  #closed = false;
  #questions = 0;
  #stale = false;
  #relisting = false;

  private constructor(config: ServerConfig, host: ServerHost) {
    this.config = config;
    this.#host = host;
    const info = { name: "codex-mcp-client", title: "Quire", version: codexVersion };
    this.#client = new Client(info, { capabilities: { elicitation: { form: {}, url: {} } } });
  }

  /** Starts a server and lists its tools. Rejects, with nothing left running, when that takes too long. */
  static async open(config: ServerConfig, host: ServerHost, signal: AbortSignal): Promise<McpServer> {
    const server = new McpServer(config, host);
    const seconds = config.startupTimeoutMs / 1000;
    const timeout = AbortSignal.timeout(config.startupTimeoutMs);
    const late = new Error(
      `MCP client for \`${config.name}\` timed out after ${seconds} seconds. Add or adjust \`startup_timeout_sec\` in your config.toml:\n[mcp_servers.${config.name}]\nstartup_timeout_sec = XX`,
    );
    const ended = AbortSignal.any([signal, timeout]);
    try {
      await untilAborted(server.#connect(ended), ended);
      return server;
    } catch (error) {
      await server.close();
      signal.throwIfAborted();
      throw timeout.aborted ? late : error;
    }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const transport = await openTransport(this.config, this.#host);
    this.#client.setRequestHandler(ElicitRequestSchema, ({ params }) => this.#elicit(params));
    this.#client.setNotificationHandler(ToolListChangedNotificationSchema, () => void this.#relist());
    this.#client.fallbackNotificationHandler = async ({ method, params }) => this.#streams.route(method, params);
    this.#streams.watch(transport);
    this.#client.onclose = () => this.#gone((transport as { readonly failure?: string }).failure);
    await this.#client.connect(transport, { timeout: never, signal });
    await this.#list(signal);
  }

  get tools(): CheckedTools["tools"] {
    return this.#checked.tools;
  }

  /** The reasons why tools are not offered. */
  get problems(): readonly string[] {
    return this.#checked.problems;
  }

  get toolListMeta(): unknown {
    return this.#toolListMeta;
  }

  get info(): ReturnType<Client["getServerVersion"]> {
    return this.#client.getServerVersion();
  }

  get capabilities(): ReturnType<Client["getServerCapabilities"]> {
    return this.#client.getServerCapabilities();
  }

  get instructions(): string | undefined {
    return this.#client.getInstructions();
  }

  /** Sends a request. The time that a user takes to answer the server's own questions does not count. */
  async request(method: string, params: Table, { signal, onProgress }: CallOptions): Promise<Table> {
    if (this.lost !== undefined || this.#closed) throw new Error("Transport closed");
    const timeout = new PausableTimeout(this.config.toolTimeoutMs);
    this.#timeouts.add(timeout);
    const either = AbortSignal.any([signal, timeout.signal]);
    const onprogress =
      onProgress &&
      (({ message, progress, total }: Progress) =>
        onProgress(message ?? `${progress}${total === undefined ? "" : ` of ${total}`}`));
    try {
      const answer = await this.#client.request({ method, params }, ResultSchema, {
        timeout: never,
        signal: either,
        ...(onprogress && { onprogress }),
      });
      if (isTooDeep(answer)) throw new Error(`the answer to ${method} is nested too deeply`);
      return answer;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (timeout.signal.aborted)
        throw new Error(`timed out awaiting ${method} after ${this.config.toolTimeoutMs / 1000}s`);
      if (this.lost !== undefined || this.#closed) throw new Error("Transport closed");
      if (error instanceof McpError)
        throw new ServerAnswer(error.code, error.message.replace(/^MCP error -?\d+: /, ""), error.data);
      throw error;
    } finally {
      timeout.end();
      this.#timeouts.delete(timeout);
    }
  }

  /** Requests events and passes them on. Resolves when the server ends the stream. */
  async events(params: Table, { signal, onEvent }: EventOptions): Promise<void> {
    if (this.lost !== undefined || this.#closed) throw new Error("Transport closed");
    const stop = this.#streams.add(params, onEvent);
    try {
      const options = { timeout: never, signal };
      await this.#client.request({ method: "events/stream", params }, ResultSchema, options);
    } finally {
      stop();
    }
  }

  async list(
    method: string,
    key: string,
    signal: AbortSignal,
  ): Promise<{ readonly entries: unknown[]; readonly meta: unknown }> {
    const entries: unknown[] = [];
    let meta: unknown = null;
    let cursor: unknown;
    for (let page = 0; page < maxPages; page++) {
      const answer = await this.request(method, cursor === undefined ? {} : { cursor }, { signal });
      const found = answer[key];
      if (!Array.isArray(found)) throw new Error(`the answer to ${method} has no list of ${key}`);
      entries.push(...found);
      meta ??= answer._meta ?? null;
      cursor = answer.nextCursor ?? undefined;
      if (typeof cursor !== "string") break;
    }
    return { entries, meta };
  }

  /** Ends the server with all descendants. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    const { transport } = this.#client;
    if (transport && "terminateSession" in transport) {
      // The session would otherwise stay open at the other end until it times out there.
      const ending = (transport as { terminateSession(): Promise<void> }).terminateSession().catch(() => undefined);
      await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
    }
    await this.#client.close().catch(() => undefined);
    await transport?.close().catch(() => undefined);
  }

  async #list(signal: AbortSignal): Promise<void> {
    if (this.capabilities?.tools === undefined) return;
    const { entries, meta } = await this.list("tools/list", "tools", signal);
    this.#checked = checkTools(entries);
    this.#toolListMeta = meta;
  }

  /** A server may announce changes faster than it answers; the last list counts. */
  async #relist(): Promise<void> {
    this.#stale = true;
    if (this.#relisting) return;
    this.#relisting = true;
    while (this.#stale && !this.#closed) {
      this.#stale = false;
      await this.#listAgain();
    }
    this.#relisting = false;
  }

  async #listAgain(): Promise<void> {
    try {
      await this.#list(AbortSignal.timeout(this.config.startupTimeoutMs));
      this.#host.onChange();
    } catch {
      // The tools that are known stay; a call of one that is gone is answered by the server.
    }
  }

  async #elicit(params: unknown): Promise<ElicitResult> {
    // A user can answer one after the other; a server that asks for more at once is not after answers.
    if (this.#questions >= maxQuestions) return { action: "decline" };
    this.#questions += 1;
    for (const timeout of this.#timeouts) timeout.pause();
    try {
      return await this.#host.elicit(isTable(params) ? params : {});
    } finally {
      this.#questions -= 1;
      for (const timeout of this.#timeouts) timeout.resume();
    }
  }

  #gone(why: string | undefined): void {
    if (this.#closed || this.lost !== undefined) return;
    this.lost = why ?? "the connection has ended";
    this.#host.onChange();
  }
}

interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}
