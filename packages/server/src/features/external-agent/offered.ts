import type { ExternalAgentConfigMigrationItem } from "@quire/protocol";
import type { Table } from "../../lib/table.ts";
import type { Places } from "./places.ts";
import { newHooks, newServers, newSettings } from "./source.ts";

type ItemType = ExternalAgentConfigMigrationItem["itemType"];

/** Places that are remembered at most. */
const maxPlaces = 100;

/** What can run or allow something, by the kind of item. */
const executing: Readonly<Partial<Record<ItemType, (places: Places) => Table>>> = {
  CONFIG: newSettings,
  MCP_SERVER_CONFIG: newServers,
  HOOKS: newHooks,
};

/** What a server has offered to take over, so that nothing else is taken over when a user agrees. */
export class Offered {
  readonly #known = new Map<string, ReadonlyMap<ItemType, Table>>();

  /** Remembers what a place holds now: it is about to be shown. */
  note(places: Places): void {
    if (this.#known.size >= maxPlaces) this.#known.clear();
    const contents = Object.entries(executing).map(([type, read]) => [type as ItemType, read(places)] as const);
    this.#known.set(keyOf(places), new Map(contents));
  }

  /** Throws where something else lies there than was shown. What was never shown is the client's own to know. */
  check(places: Places, type: ItemType): void {
    const shown = this.#known.get(keyOf(places))?.get(type);
    if (shown === undefined) return;
    // What was taken over already is no longer among it.
    const now = Object.entries(executing[type]?.(places) ?? {});
    if (!now.every(([name, content]) => Object.hasOwn(shown, name) && Bun.deepEquals(shown[name], content)))
      throw new Error(`${places.source} has changed since it was offered. Look again at what can be taken over.`);
  }
}

function keyOf({ cwd, source }: Places): string {
  return `${cwd ?? ""}\n${source}`;
}
