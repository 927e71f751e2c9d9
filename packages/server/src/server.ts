import type { Transport } from "@quire/jsonrpc";
import type { ServerNotifications, SessionSource } from "@quire/protocol";
import { resolveHome } from "./config/home.ts";
import type { Client } from "./context/client.ts";
import type { Compat } from "./context/compat.ts";
import type { NodeAddress, RunningThreads, ServerContext } from "./context/server-context.ts";
import { Services } from "./context/services.ts";
import { type Log, silentLog } from "./lib/log.ts";
import { requireBun } from "./lib/require-bun.ts";
import { type EmbeddedModel, embedModels } from "./model/ai-sdk/embedded-models.ts";
import { ClientConnection } from "./rpc/connection.ts";
import { Dispatch } from "./rpc/dispatch.ts";

/** Options of a server. Everything has a default. */
export interface ServerOptions {
  /** The folder of threads and config. Default: `$QUIRE_HOME`, else `$CODEX_HOME`, else `~/.quire`. */
  readonly home?: string | undefined;
  /** Config values that win over the files, as of `-c`: dotted paths to values. */
  readonly configOverrides?: Readonly<Record<string, unknown>> | undefined;
  /** The administrator's file. Default `/etc/codex/requirements.toml`. */
  readonly requirementsFile?: string | undefined;
  /** The source of provider keys, and of variables for commands. Default: this process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Providers whose model is an object of this program, by id: a `LanguageModel` of the AI SDK or a `ModelProvider`. The
   * first is the default unless the configuration names another. Their models are asked from this process.
   */
  readonly providers?: Readonly<Record<string, EmbeddedModel>> | undefined;
  /** The provider where none is configured and nobody is logged in. Default `offline`, which needs neither. */
  readonly defaultProvider?: string | undefined;
  /** Default: nothing is logged. */
  readonly log?: Log | undefined;
  /** The source recorded in new threads. Default `vscode`, as in Codex's app-server. */
  readonly sessionSource?: SessionSource | undefined;
  /** An older Codex to stand for, from `compatWith` of `@quire/server/startup`. Default: the one it was built for. */
  readonly compat?: Compat | undefined;
}

/** A running app-server. */
export interface QuireServer {
  /** Serves one client. The server takes over the transport. */
  accept(transport: Transport): AcceptedConnection;
  readonly runningTurns: number;
  /** Resolves when no turn runs. */
  idle(): Promise<void>;
  /** Ends every connection, turn and process. Idempotent; resolves when all is stored and gone. */
  close(): Promise<void>;
}

/** A client of a server. */
export interface AcceptedConnection {
  /** Resolves when the connection has ended, with the error that ended it, if any. */
  readonly closed: Promise<unknown>;
  /** Ends the connection; its threads stay loaded. */
  close(): Promise<void>;
}

/** Makes a server. It serves nobody until it gets a transport. Needs Bun, and says so on Node. */
export function createServer(options: ServerOptions = {}): QuireServer {
  requireBun();
  return new Server(options);
}

/** Time after the first greeting, in which clients get what they came for. */
const sweepDelayMs = 100;

class Server implements QuireServer, ServerContext {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly requirementsFile: string | undefined;
  readonly configOverrides: Readonly<Record<string, unknown>>;
  readonly defaultProvider: string | undefined;
  readonly sessionSource: SessionSource;
  readonly log: Log;
  readonly compat: Compat | undefined;
  readonly connections = new Set<ClientConnection>();
  readonly services: Services<ServerContext> = new Services<ServerContext>(this);
  threads: RunningThreads | undefined;
  readonly #dispatch = new Dispatch();
  readonly #endings: (() => void | Promise<void>)[] = [];
  #closing: Promise<void> | undefined;
  #sweepTimer: NodeJS.Timeout | undefined;

  constructor(options: ServerOptions) {
    this.env = options.env ?? process.env;
    this.home = options.home ?? resolveHome(this.env);
    this.requirementsFile = options.requirementsFile;
    this.configOverrides = options.configOverrides ?? {};
    this.defaultProvider = options.defaultProvider;
    this.sessionSource = options.sessionSource ?? "vscode";
    this.log = options.log ?? silentLog;
    this.compat = options.compat;
    embedModels(this, options.providers ?? {});
  }

  accept(transport: Transport): AcceptedConnection {
    const connection = new ClientConnection(this, this.#dispatch, transport);
    this.connections.add(connection);
    connection.onEnd(() => this.connections.delete(connection));
    if (this.#closing) void connection.close();
    return connection;
  }

  broadcast<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void {
    const now = Date.now();
    for (const connection of this.connections) connection.notify(method, params, now);
  }

  greeted(client: Client): void {
    // Otherwise the first request that needs the configuration sends it.
    this.threads?.greet(client);
    this.#sweepTimer ??= setTimeout(() => void this.#sweep(), sweepDelayMs).unref();
  }

  /** Ends what an earlier server of this home has left, if that was killed. */
  async #sweep(): Promise<void> {
    const { sweepDead } = await import("./store/sweep-dead.ts");
    this.onClose(sweepDead(this.home));
  }

  async serveNodes(address: string): Promise<Pick<NodeAddress, "url" | "token">> {
    const { listenForNodes } = await import("./listen/listen-for-nodes.ts");
    const { listener, token } = listenForNodes(this, address);
    this.onClose(() => listener.close());
    return { url: listener.address, token };
  }

  onClose(work: () => void | Promise<void>): void {
    this.#endings.push(work);
  }

  get runningTurns(): number {
    return this.threads?.runningTurns.length ?? 0;
  }

  async idle(): Promise<void> {
    // Another may have begun meanwhile, as one that waited in line.
    while (this.runningTurns > 0) await Promise.all(this.threads?.runningTurns ?? []);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#sweepTimer);
    // Turns end first: their clients hear of it while they can.
    await this.threads?.stop();
    await Promise.all(this.#endings.map((end) => end()));
    await this.threads?.close();
    await Promise.all([...this.connections].map((connection) => connection.close()));
  }
}
