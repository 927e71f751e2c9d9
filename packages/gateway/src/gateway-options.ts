import type { PageFile } from "./http/page-files.ts";
import type { ReconnectOptions } from "./hub/hub-options.ts";
import type { EmbeddedServer, SpawnedServer } from "./hub/hub-set.ts";

/** Ports of this machine to look for servers on. */
export interface DiscoveryOptions {
  /** Default 4500 to 4509. */
  readonly ports?: readonly number[] | undefined;
  /** Default 5 s. */
  readonly everyMs?: number | undefined;
}

/** Options of a gateway. Everything but the page has a default. */
export interface GatewayOptions {
  /** Gives the files of the page. Called once, at the start. */
  page(): Promise<readonly PageFile[]>;
  /** Address to listen on. Default 127.0.0.1; one that others can reach demands a token of one's own. */
  readonly host?: string | undefined;
  /** Default 0: a free one. */
  readonly port?: number | undefined;
  /** Take a free port where the given one is taken. Default false. */
  readonly anyPort?: boolean | undefined;
  /** Secret that a page has to know, at least 16 characters. Default: random, new at every start. */
  readonly token?: string | undefined;
  /** File for what outlives the gateway: signed-in devices and their subscriptions. Default: nothing does. */
  readonly stateFile?: string | undefined;
  /** Names besides this machine's own under which pages reach the gateway, as behind a proxy. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** A server in this process. */
  readonly embedded?: EmbeddedServer | undefined;
  /** Servers to start. */
  readonly spawned?: readonly SpawnedServer[] | undefined;
  /** Servers to connect to: `ws://`, `wss://` or `unix://`. */
  readonly addresses?: readonly string[] | undefined;
  /** `false` looks for none. */
  readonly discovery?: DiscoveryOptions | false | undefined;
  readonly reconnect?: ReconnectOptions | undefined;
  /**
   * Time for which threads of a closed page stay subscribed. Default 60 s; a thread with a running turn, until it ends.
   */
  readonly lingerMs?: number | undefined;
  /** Folder that pages offer for a new thread. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** Address of an orchestrator's status API, which is then served under `/orchestrator`. */
  readonly orchestrator?: string | undefined;
  /** The token of that API, looked up for each request, since it is new with each start. Default: none is sent. */
  readonly orchestratorToken?: (() => string | undefined) | undefined;
  /** Pages at once; one more is refused with 503. Default 64. */
  readonly maxPages?: number | undefined;
  /** Bound on unread notifications and questions of a page. Default 16 MiB. */
  readonly maxUnsentBytes?: number | undefined;
  /** Told what happens, a line at a time; never a token. Default: nobody. */
  readonly log?: ((line: string) => void) | undefined;
}
