import { ConnectionError, type Transport } from "@quire/jsonrpc";
import type { HubInfo } from "@quire/protocol/gateway";
import { hubId, parseAddress } from "./address.ts";
import { frame } from "./frames.ts";
import { Hub } from "./hub.ts";
import type { HubOptions, PagePort, ReconnectOptions } from "./hub-options.ts";
import type { OpenQuestion } from "./open-question.ts";

/** A server in this very process. */
export interface EmbeddedServer {
  readonly name?: string | undefined;
  /** Makes a way to it, as often as it is asked. */
  dial(signal: AbortSignal): Promise<Transport> | Transport;
}

/** A server that the gateway starts, and ends. */
export interface SpawnedServer {
  readonly command: readonly [string, ...string[]];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Options of all hubs. */
export interface HubSetOptions {
  readonly reconnect?: ReconnectOptions | undefined;
  readonly lingerMs?: number | undefined;
  broadcast(frame: string, except?: PagePort): void;
  log(line: string): void;
  asked(hub: Hub, question: OpenQuestion): void;
  turnEnded(hub: Hub, params: unknown): void;
  /** Called when a discovered address turns out to be no app-server. */
  notAppServer(address: string): void;
}

const maxHubs = 64;
/** Time for a discovered port to answer `initialize`; one that does not is no app-server. */
const discoveryHandshakeMs = 3000;

/** All hubs of a gateway. */
export class HubSet {
  readonly #options: HubSetOptions;
  readonly #hubs = new Map<string, Hub>();
  /** Found servers that a user has removed: they are not found again. */
  readonly #dismissed = new Set<string>();

  constructor(options: HubSetOptions) {
    this.#options = options;
  }

  /** The hubs that pages see. */
  get infos(): HubInfo[] {
    return [...this.#hubs.values()].map(({ info }) => info).filter(isShown);
  }

  get(id: string): Hub | undefined {
    return this.#hubs.get(id);
  }

  addEmbedded({ name = "embedded", dial }: EmbeddedServer): void {
    this.#add({ id: hubId(`embedded ${name}`), kind: "embedded", name, address: null, dial });
  }

  addSpawned({ command, cwd, env }: SpawnedServer): void {
    const [program, ...args] = command;
    const address = command.join(" ");
    // The same command may serve two folders or homes.
    let id = hubId(`spawned ${address}`);
    for (let count = 2; this.#hubs.has(id); count++) id = hubId(`spawned ${address} ${count}`);
    this.#add({
      id,
      kind: "spawned",
      name: program.split("/").at(-1) ?? program,
      address,
      dial: async () => {
        const { spawnTransport } = await import("@quire/jsonrpc/stdio");
        return spawnTransport({ command: program, args, cwd, env, guard: true });
      },
    });
  }

  /** Adds the server at an address, or reconnects one that is there already. Throws for an invalid address. */
  addAddress(text: string, kind: "address" | "discovered" = "address"): void {
    const { shown, url, token, name } = parseAddress(text);
    const id = hubId(url);
    if (kind === "address") this.#dismissed.delete(id);
    else if (this.#dismissed.has(id)) return;
    const known = this.#hubs.get(id);
    if (known) {
      // A hub that reconnects by itself needs no help of a sweep.
      if (kind === "address" || known.info.kind === "discovered") known.reconnect();
      if (kind === "address") this.#changed(known);
      return;
    }
    if (this.#hubs.size >= maxHubs) throw new RangeError(`There are ${maxHubs} servers already: remove one first`);
    this.#add({
      id,
      kind,
      name,
      address: shown,
      ...(kind === "discovered" && { handshakeMs: discoveryHandshakeMs }),
      dial: async (signal) => {
        const { connectWebSocket } = await import("@quire/jsonrpc/websocket");
        const headers = token === undefined ? undefined : { Authorization: `Bearer ${token}` };
        const connectTimeoutMs = kind === "discovered" ? discoveryHandshakeMs : undefined;
        try {
          return await connectWebSocket(url, { headers, signal, connectTimeoutMs });
        } catch (error) {
          if (!ConnectionError.is(error)) throw error;
          throw new ConnectionError(error.code, error.message.replaceAll(url, shown), { cause: error });
        }
      },
    });
  }

  /** Removes a server. Throws for one that cannot be removed. */
  async remove(id: string): Promise<void> {
    const hub = this.#hubs.get(id);
    if (!hub) throw new RangeError("There is no such server");
    if (hub.info.kind === "embedded") throw new RangeError("The embedded server belongs to quire and stays");
    this.#hubs.delete(id);
    if (hub.info.kind === "discovered") this.#dismissed.add(id);
    this.#options.broadcast(frame({ type: "hubRemoved", id }));
    await hub.close();
  }

  /** Sends a new page the open questions of all servers. */
  replay(page: PagePort): void {
    for (const hub of this.#hubs.values()) hub.replay(page);
  }

  leave(page: PagePort): void {
    for (const hub of this.#hubs.values()) hub.leave(page);
  }

  /** Ends every connection and every spawned server. */
  async close(): Promise<void> {
    const hubs = [...this.#hubs.values()];
    this.#hubs.clear();
    await Promise.all(hubs.map((hub) => hub.close()));
  }

  #add(options: Omit<HubOptions, "reconnect" | "lingerMs">): void {
    const { lingerMs, reconnect = {} } = this.#options;
    const hub: Hub = new Hub(
      { ...options, lingerMs, reconnect: options.kind === "discovered" ? undefined : reconnect },
      {
        broadcast: this.#options.broadcast,
        changed: () => this.#changed(hub),
        asked: (question) => this.#options.asked(hub, question),
        turnEnded: (params) => this.#options.turnEnded(hub, params),
      },
    );
    this.#hubs.set(hub.id, hub);
    hub.start();
  }

  #changed(hub: Hub): void {
    const { info } = hub;
    if (this.#hubs.get(hub.id) !== hub) return;
    if (isShown(info)) {
      this.#options.broadcast(frame({ type: "hub", hub: info }));
      this.#options.log(`${info.name} is ${info.state}${info.error === null ? "" : `: ${info.error}`}`);
    } else if (info.state === "disconnected") {
      this.#hubs.delete(hub.id);
      this.#options.notAppServer(info.address ?? "");
    }
  }
}

/** True once a discovered server has proved to be an app-server; others are shown at once. */
function isShown({ kind, epoch }: HubInfo): boolean {
  return kind !== "discovered" || epoch > 0;
}
