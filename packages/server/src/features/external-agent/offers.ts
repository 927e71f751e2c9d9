import type { ExternalAgentConfigMigrationItem } from "@quire/protocol";
import type { Table } from "../../lib/table.ts";
import type { AgentPaths } from "./agent-paths.ts";
import { newHooks, newServers, newSettings } from "./source.ts";

type ItemType = ExternalAgentConfigMigrationItem["itemType"];

/** AgentPaths that are remembered at most. */
const maxPlaces = 100;

/** What can run or allow something, by the kind of item. */
const executing: Readonly<Partial<Record<ItemType, (paths: AgentPaths) => Table>>> = {
  CONFIG: newSettings,
  MCP_SERVER_CONFIG: newServers,
  HOOKS: newHooks,
};

/** What a server has offered to take over, so that nothing else is taken over when a user agrees. */
export class Offers {
  readonly #known = new Map<string, ReadonlyMap<ItemType, Table>>();

  /** Remembers what a place holds now: it is about to be shown. */
  note(paths: AgentPaths): void {
    if (this.#known.size >= maxPlaces) this.#known.clear();
    const contents = Object.entries(executing).map(([type, read]) => [type as ItemType, read(paths)] as const);
    this.#known.set(keyOf(paths), new Map(contents));
  }

  /** Throws where something else lies there than was shown. What was never shown is the client's own to know. */
  check(paths: AgentPaths, type: ItemType): void {
    const shown = this.#known.get(keyOf(paths))?.get(type);
    if (shown === undefined) return;
    // What was taken over already is no longer among it.
    const now = Object.entries(executing[type]?.(paths) ?? {});
    if (!now.every(([name, content]) => Object.hasOwn(shown, name) && Bun.deepEquals(shown[name], content)))
      throw new Error(`${paths.source} has changed since it was offered. Look again at what can be taken over.`);
  }
}

function keyOf({ cwd, source }: AgentPaths): string {
  return `${cwd ?? ""}\n${source}`;
}
