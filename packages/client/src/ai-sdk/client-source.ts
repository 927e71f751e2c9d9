import { ConnectionError } from "@quire/jsonrpc";
import { CodexClient } from "../client/client.ts";
import type { SpawnOptions } from "../client/client-options.ts";
import type { CodexConnection } from "./settings.ts";

/** The provider's source of clients. It closes a client that it made itself, and replaces one that was lost. */
export class ClientSource {
  readonly #connection: CodexConnection;
  #own: Promise<CodexClient> | undefined;
  #closed = false;

  constructor(connection: CodexConnection) {
    this.#connection = connection;
  }

  /** A client that is connected; made on first use. */
  async get(): Promise<CodexClient> {
    if (this.#closed) throw new ConnectionError("closed", "The provider was closed: make another with createCodex()");
    const { client } = this.#connection as { client?: CodexClient };
    if (client) {
      await client.connect();
      return client;
    }
    this.#own ??= this.#open();
    const opening = this.#own;
    const own = await opening.catch((error: unknown) => {
      this.#forget(opening);
      throw error;
    });
    if (own.state !== "closed") return own;
    this.#forget(opening);
    return this.get();
  }

  /** Closes the client, if it is this provider's own. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    const own = await this.#own?.catch(() => undefined);
    await own?.close();
  }

  #open(): Promise<CodexClient> {
    const options = this.#connection;
    if ("url" in options && options.url !== undefined) return CodexClient.connect(options.url, options);
    return CodexClient.spawn(options as SpawnOptions);
  }

  #forget(opening: Promise<CodexClient>): void {
    if (this.#own === opening) this.#own = undefined;
  }
}
