import type { ExternalAgentConfigMigrationItem } from "@quire/protocol";
import type { Table } from "../../lib/table.ts";
import type { AgentPaths } from "./agent-paths.ts";
import { newHooks, newServers, newSettings } from "./source.ts";

type ItemType = ExternalAgentConfigMigrationItem["itemType"];

const maxPlaces = 100;

/** Content that can run or allow something, by kind of item. */
const executing: Readonly<Partial<Record<ItemType, (paths: AgentPaths) => Table>>> = {
  CONFIG: newSettings,
  MCP_SERVER_CONFIG: newServers,
  HOOKS: newHooks,
};

/** The imports that a server has offered, so that a user's agreement covers nothing else. */
export class Offers {
  readonly #known = new Map<string, ReadonlyMap<ItemType, Table>>();

  /** Remembers the present content: it is about to be shown. */
  note(paths: AgentPaths): void {
    if (this.#known.size >= maxPlaces) this.#known.clear();
    const contents = Object.entries(executing).map(([type, read]) => [type as ItemType, read(paths)] as const);
    this.#known.set(keyOf(paths), new Map(contents));
  }

  /** Throws when the content differs from what was shown. Content never shown is the client's responsibility. */
  check(paths: AgentPaths, type: ItemType): void {
    const shown = this.#known.get(keyOf(paths))?.get(type);
    if (shown === undefined) return;
    // Imported content is no longer part of it.
    const now = Object.entries(executing[type]?.(paths) ?? {});
    if (!now.every(([name, content]) => Object.hasOwn(shown, name) && Bun.deepEquals(shown[name], content)))
      throw new Error(`${paths.source} has changed since it was offered. Look again at what can be taken over.`);
  }
}

function keyOf({ cwd, source }: AgentPaths): string {
  return `${cwd ?? ""}\n${source}`;
}
