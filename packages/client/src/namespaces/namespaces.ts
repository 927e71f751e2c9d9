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
import { type Reviews, reviewOf, type Turns, turnsOf } from "./turns.ts";

/** The methods of a server, grouped by what they are about. */
export interface Namespaces {
  /** The threads that the server knows. */
  readonly threads: Threads;
  /** Turns by their ids. */
  readonly turns: Turns;
  /** Reviews, as bare calls. */
  readonly review: Reviews;
  /** The models that can be chosen. */
  readonly models: Models;
  /** Who uses the server, and how much they may. */
  readonly account: AccountApi;
  /** The server's configuration. */
  readonly config: Config;
  /** What the model can be taught. */
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

/** Groups the methods of a server. The groups hold nothing but the port. */
export function namespacesOf(port: ServerPort): Namespaces {
  return {
    threads: threadsOf(port),
    turns: turnsOf(port),
    review: reviewOf(port),
    models: modelsOf(port),
    account: accountOf(port),
    config: configOf(port),
    skills: skillsOf(port),
    mcp: mcpOf(port),
    fs: new FileSystem(port),
    exec: execOf(port),
    apps: appsOf(port),
    plugins: pluginsOf(port),
    search: searchOf(port),
  };
}
