import type { Client } from "../../context/client.ts";
import { service } from "../../context/services.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import { killOwned } from "../process/process-table.ts";
import type { ClientCommand } from "./client-command.ts";

/** Commands of one client at once. One more is refused. */
const maxCommands = 256;

let connections = 0;

/** Texts for errors about one kind of command. */
export interface TableWords {
  /** Prefix for a name in use. */
  readonly duplicate: string;
  /** Prefix for an unknown name. */
  readonly missing: string;
}

/** The running commands of one connection, by the names that the client gave them. They end with the connection. */
export class CommandTable {
  readonly owner: string;
  readonly #words: TableWords;
  readonly #commands = new Map<string, ClientCommand>();

  constructor(connection: Client, words: TableWords) {
    this.#words = words;
    this.owner = `connection-${++connections}`;
    connection.onEnd(() => {
      for (const command of this.#commands.values()) command.kill();
      void killOwned(this.owner);
    });
  }

  /** Adds a command until it ends. Without a name it cannot be found. */
  add(name: string | undefined, start: () => ClientCommand): ClientCommand {
    if (name !== undefined && this.#commands.has(name)) {
      throw invalidRequest(`${this.#words.duplicate}: ${JSON.stringify(name)}`);
    }
    if (this.#commands.size >= maxCommands) {
      throw invalidRequest(`${maxCommands} commands are running already: end some of them before starting more`);
    }
    const command = start();
    // A name that no client can send: the given ones are strings of their own.
    const key = name ?? Symbol("unnamed").toString() + crypto.randomUUID();
    this.#commands.set(key, command);
    void command.ended.then(() => this.#commands.delete(key));
    return command;
  }

  get(name: string): ClientCommand {
    const command = this.#commands.get(name);
    if (command === undefined) throw invalidRequest(`${this.#words.missing} ${JSON.stringify(name)}`);
    return command;
  }
}

/** Gives each connection a table of its own. */
export function tablePerConnection(words: TableWords): (connection: Client) => CommandTable {
  const table = service((connection: Client) => new CommandTable(connection, words));
  return (connection) => connection.services.get(table);
}
