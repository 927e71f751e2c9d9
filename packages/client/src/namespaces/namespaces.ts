import { type AccountApi, accountOf } from "../account/account.ts";
import { type Exec, execOf } from "../exec/exec-group.ts";
import { FileSystem } from "../fs/fs.ts";
import type { ServerPort } from "../port/server-port.ts";
import { type Apps, appsOf } from "./apps.ts";
import { type Config, configOf } from "./config.ts";
import { type Mcp, mcpOf } from "./mcp.ts";
import { type Models, modelsOf } from "./models.ts";
import { type Plugins, pluginsOf } from "./plugins.ts";
import { type Search, searchOf } from "./search.ts";
import { type Skills, skillsOf } from "./skills.ts";
import { type Threads, threadsOf } from "./threads.ts";

/** The methods of a server, grouped by what they are about. */
export interface Namespaces {
  /** Stored threads. */
  readonly threads: Threads;
  /** The models that can be chosen. */
  readonly models: Models;
  /** Logins and limits. */
  readonly account: AccountApi;
  /** The server's configuration. */
  readonly config: Config;
  /** Skills that the model can use. */
  readonly skills: Skills;
  /** The MCP servers that the server is connected to. */
  readonly mcp: Mcp;
  /** The files of the server's machine. */
  readonly fs: FileSystem;
  /** Commands on the server's machine. */
  readonly exec: Exec;
  /** Apps that the user can bring into a thread. */
  readonly apps: Apps;
  /** Plugins and the marketplaces that they come from. */
  readonly plugins: Plugins;
  /** Finding files by parts of their names. */
  readonly search: Search;
}

const makers: { readonly [Name in keyof Namespaces]: (port: ServerPort) => Namespaces[Name] } = {
  threads: threadsOf,
  models: modelsOf,
  account: accountOf,
  config: configOf,
  skills: skillsOf,
  mcp: mcpOf,
  fs: (port) => new FileSystem(port),
  exec: execOf,
  apps: appsOf,
  plugins: pluginsOf,
  search: searchOf,
};

/** Groups the methods of a server. Each group is made when it is first used, and holds nothing but the port. */
export function namespacesOf(port: ServerPort): Namespaces {
  return addNamespaces({}, () => port);
}

/** Gives an object, or all objects with a prototype, the groups of the server that `portOf` finds. */
export function addNamespaces<T extends object>(target: T, portOf: (self: T) => ServerPort): T & Namespaces {
  for (const [name, make] of Object.entries(makers)) {
    Object.defineProperty(target, name, {
      configurable: true,
      get(this: T): unknown {
        const value = make(portOf(this));
        Object.defineProperty(this, name, { value });
        return value;
      },
    });
  }
  return target as T & Namespaces;
}
