import process from "node:process";
import {
  CodexClient,
  ConnectionError,
  type Dialer,
  type Logger,
  type QuestionHandlers,
  type Transport,
} from "@quire/client";
import { AgentError } from "../lib/agent-error.ts";
import type { Clock } from "../lib/clock.ts";
import type { FullClientConfig } from "./client-config.ts";
import type { EvaluationLimits } from "./evaluation-limits.ts";

/** Options of a link to a server. */
export interface LinkOptions {
  readonly config: FullClientConfig;
  readonly cwd: string;
  /** The whole environment of a server that is started. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly handlers: QuestionHandlers;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * An evaluation's connection to its server. It owns the client and, where the server is started for it, the process:
 * {@link close} ends both, whatever the server does.
 */
export class AgentLink implements AsyncDisposable {
  readonly client: CodexClient;
  readonly #options: LinkOptions;
  #transport: Transport | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    const { config, handlers, logger } = options;
    const { clientName, clientVersion } = config;
    const common = { ...handlers, clientName, clientVersion, clientTitle: "Quire Agent", logger };
    // An evaluation ends with its connection: half of a turn's events would be worse than an error.
    this.client = new CodexClient({ ...common, reconnect: false }, this.#dialer());
  }

  /** Reaches the server and shakes hands, within the time for that and the evaluation's own limits. */
  async open(limits: EvaluationLimits): Promise<void> {
    const { clock, config } = this.#options;
    let cancel = () => {};
    const late = new Promise<never>((_resolve, reject) => {
      const message = `The server did not answer within ${config.startupTimeoutMs} ms (startupTimeoutMs)`;
      const giveUp = () => {
        this.#transport?.kill?.();
        reject(new AgentError(message));
      };
      cancel = clock.setTimeout(giveUp, config.startupTimeoutMs);
    });
    const connected = this.client.connect();
    connected.catch(() => undefined);
    try {
      await limits.guard(Promise.race([connected, late]));
    } finally {
      cancel();
    }
  }

  /** Resolves with an error when the connection has ended, after every waiting call has been rejected. */
  get lost(): Promise<Error> {
    const closed = new ConnectionError("closed", "The connection was closed", { mayHaveRun: true });
    return this.client.ended.then((error) => new Promise((resolve) => setTimeout(() => resolve(error ?? closed), 0)));
  }

  /** The last that a started server wrote to stderr. */
  get stderr(): string {
    return (this.#transport as { readonly stderr?: string } | undefined)?.stderr ?? "";
  }

  /** Ends the connection, and the process of a server that was started for it. Idempotent. */
  async close(): Promise<void> {
    await this.client.close();
    // Also where the client never got as far as using it.
    await this.#transport?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #dialer(): Dialer {
    return {
      isSocket: false,
      canRedial: false,
      dial: async (signal) => {
        const transport = await this.#dial(signal);
        this.#transport = transport;
        return transport;
      },
    };
  }

  async #dial(signal: AbortSignal): Promise<Transport> {
    const { config, cwd, env } = this.#options;
    if (config.transport) return config.transport();
    if (config.url !== undefined) {
      const { connectWebSocket } = await import("@quire/jsonrpc/websocket");
      return connectWebSocket(config.url, { signal });
    }
    const { spawnTransport } = await import("@quire/jsonrpc/stdio");
    signal.throwIfAborted();
    const { locateServer } = await import("@quire/client/link");
    const [command = "codex", ...args] = await locateServer({ command: config.command, env });
    const onStderr = config.suppressStderr ? undefined : (chunk: Uint8Array) => void process.stderr.write(chunk);
    return spawnTransport({ command, args, cwd, env, shutdownMs: config.shutdownMs, onStderr });
  }
}
