import type { SQL } from "bun";
import type { NodeAddress } from "../context/server-context.ts";
import { ClientFault, ServerFault } from "../lib/faults.ts";

/** Another server of the same database has the thread. */
class ThreadOnNode extends ClientFault {
  override readonly name = "ThreadOnNode";
  /** The other server's address, if it has told one. */
  readonly url: string | null;

  constructor(threadId: string, node: string, url: string | null) {
    const where = url === null ? node : `${node} (${url})`;
    super(`thread ${threadId} is in use on ${where}; use it there, or unload it there first`);
    this.url = url;
  }
}

/** Another server has taken a thread over, or may have: this one must not go on with it. */
export class ThreadTaken extends ServerFault {
  override readonly name = "ThreadTaken";

  constructor(threadId: string, why: string) {
    super(`thread ${threadId} is no longer this server's: ${why}; resume it to continue`);
  }
}

/** The right to write a thread. */
export interface Claim {
  readonly epoch: number;
  readonly seq: number;
  readonly archived: boolean;
}

interface ClaimRow {
  readonly epoch: number;
  readonly seq: number;
  readonly archived: number;
}

interface OwnerRow {
  readonly owner: string;
  readonly name: string | null;
  readonly url: string | null;
}

/**
 * Takes the right to write a thread that nobody has, or whose owner is gone. `undefined` without such a thread; throws
 * `ThreadOnNode` while a living server has it.
 */
export async function claimThread(sql: SQL, threadId: string, node: string): Promise<Claim | undefined> {
  const [claimed] = await sql<ClaimRow[]>`
    UPDATE threads SET epoch = epoch + 1, owner = ${node}
    WHERE id = ${threadId} AND (owner IS NULL OR owner = ${node} OR NOT EXISTS (
      SELECT 1 FROM nodes WHERE nodes.id = threads.owner AND lease_until > now()
    ))
    RETURNING epoch, seq, archived`;
  if (claimed) return { ...claimed, archived: claimed.archived === 1 };
  const [other] = await sql<OwnerRow[]>`
    SELECT owner, nodes.name, nodes.url FROM threads LEFT JOIN nodes ON nodes.id = owner WHERE threads.id = ${threadId}`;
  if (other) throw new ThreadOnNode(threadId, other.name ?? other.owner, other.url);
  return undefined;
}

/** The address of the living server that has a thread, if it is another one and has told an address. */
export async function ownerOf(sql: SQL, threadId: string, self: string): Promise<NodeAddress | undefined> {
  const [row] = await sql<NodeAddress[]>`
    SELECT nodes.id, nodes.name, nodes.url, nodes.token FROM threads JOIN nodes ON nodes.id = owner
    WHERE threads.id = ${threadId} AND owner <> ${self} AND nodes.url IS NOT NULL AND lease_until > now()`;
  return row;
}

/** A living server that takes threads, for one that takes no more. */
export async function anyOther(sql: SQL, self: string): Promise<NodeAddress | undefined> {
  const [row] = await sql<NodeAddress[]>`
    SELECT id, name, url, token FROM nodes
    WHERE id <> ${self} AND url IS NOT NULL AND lease_until > now() AND NOT draining ORDER BY random() LIMIT 1`;
  return row;
}

/** Gives the right back, unless another has it by now. */
export async function releaseThread(sql: SQL, threadId: string, claim: { node: string; epoch: number }): Promise<void> {
  await sql`UPDATE threads SET owner = NULL WHERE id = ${threadId} AND owner = ${claim.node} AND epoch = ${claim.epoch}`;
}
