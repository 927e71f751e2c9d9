import type { ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import type { McpServerStartupState } from "@quire/protocol";
import { hasToken, type ServerConfig } from "../config/mcp-config.ts";
import { errorMessage } from "../lib/error-message.ts";
import type { Log } from "../lib/log.ts";
import { killOwned } from "../run/process/process-table.ts";
import { LoginNeeded } from "./login-needed.ts";
import { type Elicitation, McpServer } from "./mcp-server.ts";
import type { TransportContext } from "./open-transport.ts";

/** A server, whatever has become of it. */
export interface ServerSlot {
  readonly config: ServerConfig;
  readonly state: "starting" | "ready" | "failed" | "disabled";
  readonly server: McpServer | undefined;
  /** The reason why it does not run. */
  readonly error: string | null;
  /** True when it would run after a login. */
  readonly needsLogin: boolean;
}

/** Options of a set of servers. */
export interface ServersOptions {
  readonly owner: string;
  readonly cwd: () => string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** The reason why a process must not be started. */
  readonly refuse: TransportContext["refuse"];
  readonly elicit: (server: string, request: Elicitation) => Promise<ElicitResult>;
  readonly onStatus: (name: string, status: McpServerStartupState, error: string | null) => void;
}

interface Slot {
  config: ServerConfig;
  state: ServerSlot["state"];
  server: McpServer | undefined;
  error: string | null;
  needsLogin: boolean;
  readonly abort: AbortController;
  /** Settles when the start is over; never rejects. */
  started: Promise<void>;
}

/** A set of MCP servers, one process or session per row of the config. Its creator closes it. */
export class McpServers {
  readonly #options: ServersOptions;
  readonly #slots = new Map<string, Slot>();
  /** Counts changes of the offered tools. */
  version = 0;
  #closed = false;
  #reloading: Promise<void> = Promise.resolve();

  constructor(options: ServersOptions) {
    this.#options = options;
  }

  /** Sorted by name. */
  get slots(): readonly ServerSlot[] {
    return [...this.#slots.values()].sort((a, b) => (a.config.name < b.config.name ? -1 : 1));
  }

  /** Resolves when none is starting. */
  async settled(signal: AbortSignal): Promise<void> {
    const starting = [...this.#slots.values()].filter(({ state }) => state === "starting");
    if (starting.length === 0) return;
    const aborted = Promise.withResolvers<never>();
    const stop = () => aborted.reject(signal.reason);
    signal.throwIfAborted();
    signal.addEventListener("abort", stop, { once: true });
    try {
      await Promise.race([Promise.all(starting.map(({ started }) => started)), aborted.promise]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** A running server. Throws an Error that says why it does not run. */
  async require(name: string, signal: AbortSignal): Promise<McpServer> {
    const slot = this.#slots.get(name);
    if (slot === undefined || slot.state === "disabled") throw new Error(`unknown MCP server '${name}'`);
    await this.settled(signal);
    if (slot.server === undefined) throw new Error(`failed to get client: ${slot.error}`);
    return slot.server;
  }

  /** Applies new rows: unchanged servers stay, all others are ended and started again. */
  reload(configs: readonly ServerConfig[]): Promise<void> {
    // In sequence: two at once could start a server twice.
    this.#reloading = this.#reloading.then(() => this.#reload(configs));
    return this.#reloading;
  }

  async #reload(configs: readonly ServerConfig[]): Promise<void> {
    if (this.#closed) return;
    const kept = new Set<string>();
    const ending: Promise<void>[] = [];
    for (const slot of this.#slots.values()) {
      const next = configs.find(({ name }) => name === slot.config.name);
      const runs =
        slot.state === "disabled" ||
        slot.state === "starting" ||
        (slot.state === "ready" && slot.server?.lost === undefined);
      if (next && runs && Bun.deepEquals(next, slot.config)) kept.add(next.name);
      else {
        this.#slots.delete(slot.config.name);
        ending.push(end(slot));
      }
    }
    await Promise.all(ending);
    for (const config of configs) {
      const slot = this.#slots.get(config.name);
      if (kept.has(config.name) && slot) {
        if (slot.state === "ready") this.#options.onStatus(config.name, "ready", null);
      } else if (!this.#closed) this.#start(config);
    }
    this.version++;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#reloading;
    const slots = [...this.#slots.values()];
    this.#slots.clear();
    await Promise.all(slots.map(end));
    await killOwned(this.#options.owner);
  }

  #start(config: ServerConfig): void {
    const slot: Slot = {
      config,
      state: "starting",
      server: undefined,
      error: null,
      needsLogin: false,
      abort: new AbortController(),
      started: Promise.resolve(),
    };
    this.#slots.set(config.name, slot);
    if (config.enabled) {
      this.#options.onStatus(config.name, "starting", null);
      slot.started = this.#open(slot);
    } else slot.state = "disabled";
  }

  async #open(slot: Slot): Promise<void> {
    const { name } = slot.config;
    const { owner, env, home, log, elicit, cwd, refuse } = this.#options;
    const host = {
      owner,
      env,
      home,
      cwd: cwd(),
      refuse,
      onStderr: (text: string) => log.debug(`MCP server ${name}: ${text.trimEnd()}`),
      elicit: (request: Elicitation) => elicit(name, request),
      onChange: () => this.#changed(slot),
    };
    try {
      slot.server = await McpServer.open(slot.config, host, slot.abort.signal);
      slot.state = "ready";
      for (const problem of slot.server.problems) log.warn(`MCP server ${name}: ${problem}`);
      this.version++;
      if (this.#slots.get(name) === slot) this.#options.onStatus(name, "ready", null);
    } catch (error) {
      slot.state = "failed";
      slot.needsLogin = isUnauthorized(error) && !hasToken(slot.config, env);
      slot.error = slot.abort.signal.aborted
        ? "cancelled"
        : slot.needsLogin
          ? new LoginNeeded(name).message
          : describe(error);
      log.warn(`MCP server ${name} is not available: ${slot.error}`);
      if (slot.abort.signal.aborted) this.#options.onStatus(name, "cancelled", null);
      else this.#options.onStatus(name, "failed", startupError(name, slot.error));
    }
  }

  #changed(slot: Slot): void {
    this.version++;
    const { server } = slot;
    if (server?.lost === undefined || slot.state !== "ready") return;
    slot.state = "failed";
    slot.error = `Transport closed: ${server.lost}`;
    this.#options.log.warn(`MCP server ${slot.config.name} is gone: ${server.lost}`);
    this.#options.onStatus(
      slot.config.name,
      "failed",
      `MCP server \`${slot.config.name}\` is gone: ${server.lost}. Reload the MCP servers to start it again.`,
    );
    void server.close();
  }
}

async function end(slot: Slot): Promise<void> {
  slot.abort.abort(new Error("the server is no longer needed"));
  await slot.started;
  await slot.server?.close();
}

/** The server has answered 401, or its stored login can no longer be renewed. */
function isUnauthorized(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isRefused = "code" in error && error.code === 401;
  // The class belongs to a package that only servers with a URL load.
  return isRefused || error.constructor.name === "UnauthorizedError" || error instanceof LoginNeeded;
}

/** In the words of the wire. */
function startupError(name: string, error: string): string {
  return /^MCP client for| is not logged in/.test(error)
    ? error
    : `MCP client for \`${name}\` failed to start: ${error}`;
}

function describe(error: unknown): string {
  const message = errorMessage(error);
  if (message.startsWith("MCP client for")) return message;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "MCP startup failed: No such file or directory (os error 2)";
  if (/connection closed/i.test(message))
    return "MCP startup failed: handshaking with MCP server failed: connection closed: initialize response";
  return `MCP startup failed: ${message}`;
}
