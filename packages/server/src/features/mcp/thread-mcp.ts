import { readServers, type ServerConfig } from "../../config/mcp-config.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import type { McpServers } from "../../mcp/mcp-servers.ts";
import { mayHavePlugins } from "../../plugins/may-have-plugins.ts";
import type { Thread } from "../../thread/thread.ts";
import type { ToolGroup } from "../../tools/tool.ts";
import type { OpenedServers } from "./open-servers.ts";

/** The MCP servers of a thread. Costs nothing where the config names none. Ends with its thread. */
export class ThreadMcp {
  readonly #thread: Thread;
  #loading: Promise<McpServers> | undefined;
  #loaded: OpenedServers | undefined;
  #closed = false;

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  /** Starts the configured servers in the background. */
  start(): void {
    const { raw } = this.#thread.config;
    if (this.#closed || this.#loading || (readServers(raw).length === 0 && !mayHavePlugins(raw))) return;
    void this.servers().catch((error: unknown) =>
      this.#thread.core.server.log.error("MCP servers could not be started", error),
    );
  }

  async servers(): Promise<McpServers> {
    if (this.#closed) throw invalidRequest("the thread is closed");
    this.#loading ??= this.#load();
    return await this.#loading;
  }

  /** Resolves when each server has started or failed; `undefined` without servers. Rejects when the signal aborts. */
  ready(signal: AbortSignal): Promise<void> | undefined {
    this.start();
    return this.#loading?.then((servers) => servers.settled(signal));
  }

  groups(): readonly ToolGroup[] {
    return this.#loaded?.groups() ?? [];
  }

  /** Follows the configuration in the background, as a server may start slowly. */
  reload(): void {
    this.#reload().catch((error: unknown) =>
      this.#thread.core.server.log.error("MCP servers could not be reloaded", error),
    );
  }

  async #reload(): Promise<void> {
    const configs = await this.#configured();
    if (this.#closed || (this.#loading === undefined && configs.length === 0)) return;
    await (await this.servers()).reload(configs);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#loading?.catch(() => undefined))?.close();
  }

  async #configured(): Promise<ServerConfig[]> {
    const { config, core } = this.#thread;
    if (!mayHavePlugins(config.raw)) return readServers(config.raw);
    const { allServers } = await import("../../plugins/all-servers.ts");
    return allServers(core.server.home, config.raw);
  }

  async #load(): Promise<McpServers> {
    const { openServers } = await import("./open-servers.ts");
    const opened = openServers(this.#thread);
    this.#loaded = opened;
    await opened.servers.reload(await this.#configured());
    return opened.servers;
  }
}
