import type { ThreadListParams } from "@quire/protocol";
import type { ServerCore } from "../../features/open-core.ts";
import { invalidParams } from "../../lib/rpc-errors.ts";
import { BadCursor, type ThreadQuery, type ThreadSummary } from "../../store/thread-store.ts";

/** Lists only what is in the section and the project that were asked for. */
export function placeFilter(
  core: ServerCore,
  { sectionId, projectId }: ThreadListParams,
): Pick<ThreadQuery, "threadIds" | "silent"> {
  const { existing } = core.state;
  if (projectId && !existing?.projects.get(projectId)) throw invalidParams(`project not found: ${projectId}`);
  if (!sectionId && !projectId) return {};
  const section = sectionId
    ? (existing?.placements.inSection(sectionId) ?? []).map(({ threadId }) => threadId)
    : undefined;
  const project = projectId ? (existing?.placements.inProject(projectId) ?? []) : undefined;
  const both = section && project ? section.filter((id) => project.includes(id)) : (section ?? project ?? []);
  // A thread in a section must be findable there, even without messages.
  return { threadIds: both, silent: section !== undefined };
}

/** A page of a section in the user's order, which the index does not know. */
export async function sectionPage(
  core: ServerCore,
  params: ThreadListParams,
  query: ThreadQuery,
): Promise<{ rows: ThreadSummary[]; nextCursor: string | null; backwardsCursor: string | null }> {
  const filter = placeFilter(core, params);
  const entries = core.state.existing?.placements.inSection(params.sectionId ?? "") ?? [];
  const places = new Map(entries.map(({ threadId, position }) => [threadId, position]));
  const all = { ...query, ...filter, cursor: null, limit: Math.max(1, entries.length), sortKey: "created_at" as const };
  const { threads } = await core.store.list(all);
  const step = params.sortDirection === "desc" ? -1 : 1;
  const order = (a: Spot, b: Spot) => step * (a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const spot = ({ id }: ThreadSummary): Spot => ({ at: places.get(id) ?? 0, id });
  const sorted = [...threads].sort((a, b) => order(spot(a), spot(b)));
  const from = query.cursor === null ? undefined : readCursor(query.cursor);
  const rest = from ? sorted.filter((row) => order(spot(row), from) > 0) : sorted;
  const rows = rest.slice(0, query.limit);
  const first = rows[0];
  const last = rows.at(-1);
  return {
    rows,
    nextCursor: last && rest.length > rows.length ? writeCursor(spot(last)) : null,
    // Just before the first, seen from the other direction.
    backwardsCursor: first ? writeCursor({ ...spot(first), at: spot(first).at + step }) : null,
  };
}

interface Spot {
  readonly at: number;
  readonly id: string;
}

const writeCursor = ({ at, id }: Spot): string => `${at}|${id}`;

function readCursor(text: string): Spot {
  const match = /^(-?\d+(?:\.\d+)?)\|(.+)$/.exec(text);
  if (!match) throw new BadCursor(text);
  return { at: Number(match[1]), id: match[2] ?? "" };
}
