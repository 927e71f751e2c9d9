import { type Namespaces, namespacesOf } from "../namespaces/namespaces.ts";
import { ClientCore } from "./client-core.ts";

/** The client with its server's methods grouped by what they are about, made when first used. */
export class ClientGroups extends ClientCore implements Namespaces {
  #made: Namespaces | undefined;

  get #groups(): Namespaces {
    this.#made ??= namespacesOf(this);
    return this.#made;
  }

  /** The threads that the server knows: `for await (const thread of codex.threads()) …`. */
  get threads(): Namespaces["threads"] {
    return this.#groups.threads;
  }

  /** Turns by their ids. */
  get turns(): Namespaces["turns"] {
    return this.#groups.turns;
  }

  /** Reviews, as bare calls; `thread.review()` waits for the end. */
  get review(): Namespaces["review"] {
    return this.#groups.review;
  }

  /** The models that can be chosen. */
  get models(): Namespaces["models"] {
    return this.#groups.models;
  }

  /** Who uses the server, and how much they may. */
  get account(): Namespaces["account"] {
    return this.#groups.account;
  }

  /** The server's configuration. */
  get config(): Namespaces["config"] {
    return this.#groups.config;
  }

  /** What the model can be taught. */
  get skills(): Namespaces["skills"] {
    return this.#groups.skills;
  }

  /** The MCP servers that the server is connected to. */
  get mcp(): Namespaces["mcp"] {
    return this.#groups.mcp;
  }

  /** The files of the server's machine. */
  get fs(): Namespaces["fs"] {
    return this.#groups.fs;
  }

  /** Commands on the server's machine. */
  get exec(): Namespaces["exec"] {
    return this.#groups.exec;
  }

  /** Apps that the user can bring into a thread. */
  get apps(): Namespaces["apps"] {
    return this.#groups.apps;
  }

  /** Plugins and the marketplaces that they come from. */
  get plugins(): Namespaces["plugins"] {
    return this.#groups.plugins;
  }

  /** Finding files by parts of their names. */
  get search(): Namespaces["search"] {
    return this.#groups.search;
  }
}
