import { Database } from "./database.ts";

/** A server of a database. */
export interface FleetNode {
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly startedAtMs: number;
  /** False once its lease is over: others may take its threads. */
  readonly alive: boolean;
  /** True while it gives its threads away and takes no more. */
  readonly draining: boolean;
  /** Threads that it has loaded. */
  readonly threads: number;
}

/** All threads of a database, by what servers have. */
export interface Fleet {
  readonly nodes: readonly FleetNode[];
  readonly threads: number;
}

/** No server of the database has that name or id. */
export class UnknownNode extends Error {
  override readonly name = "UnknownNode";

  constructor(given: string, known: readonly string[]) {
    super(`no server is called ${given}; ${known.length === 0 ? "there is none" : `there are ${known.join(", ")}`}`);
  }
}

/** Reads the servers of a database. */
export function readFleet(url: string): Promise<Fleet> {
  return withDatabase(url, (database) =>
    database.use("read the fleet", async (sql) => {
      const nodes = await sql<FleetNode[]>`
        SELECT nodes.id, nodes.name, nodes.url, draining, lease_until > now() AS alive,
          extract(epoch FROM started)::float8 * 1000 AS "startedAtMs",
          (SELECT count(*)::int FROM threads WHERE owner = nodes.id) AS threads
        FROM nodes ORDER BY started, nodes.id`;
      const [count] = await sql<{ threads: number }[]>`SELECT count(*)::int AS threads FROM threads`;
      return { nodes: [...nodes], threads: count?.threads ?? 0 };
    }),
  );
}

/** Has a server give its threads away as their turns end, or take threads again. Returns it. */
export async function setDraining(url: string, given: string, draining: boolean): Promise<FleetNode> {
  const { nodes } = await readFleet(url);
  const node = nodes.find(({ id, name }) => given === id || given === name);
  if (!node)
    throw new UnknownNode(
      given,
      nodes.map(({ name }) => name),
    );
  await withDatabase(url, (database) =>
    database.use("drain a server", (sql) => sql`UPDATE nodes SET draining = ${draining} WHERE id = ${node.id}`),
  );
  return { ...node, draining };
}

async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = new Database(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
