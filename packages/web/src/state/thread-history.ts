import type { ThreadItem, Turn } from "@quire/protocol";
import type { ThreadModel } from "./thread-model.ts";
import type { TurnModel } from "./turn-model.ts";

/** Servers before 0.166 number stored items anew; such ids say nothing about the items that were heard live. */
const renumbered = /^item-\d+$/;

/** A page of stored turns, oldest first. */
export interface StoredTurns {
  readonly turns: readonly Turn[];
  /** Where the turns before these are found; null when there are none. */
  readonly olderCursor: string | null;
}

/**
 * Takes the newest turns as the server stored them. What was heard live and is whole stays as it is; turns that were
 * loaded before stay when the page joins on to them, and go when there may be a hole between.
 */
export function takeNewest(model: ThreadModel, { turns, olderCursor }: StoredTurns): void {
  const known = [...model.turns];
  const ids = new Set(turns.map(({ id }) => id));
  const join = known.findIndex(({ id }) => ids.has(id));
  const heardSince = (turn: TurnModel): boolean => turn.witnessed && !ids.has(turn.id);
  const older = join > 0 ? known.slice(0, join) : [];
  const newer = (join >= 0 ? known.slice(join) : known).filter(heardSince);
  const stored = turns.map((turn) => takeTurn(model, turn));
  model.arrange([...older, ...stored, ...newer]);
  if (older.length === 0) model.olderCursor = olderCursor;
}

/** Takes a page of turns that are older than all that are here. */
export function takeOlder(model: ThreadModel, { turns, olderCursor }: StoredTurns): void {
  const known = [...model.turns];
  const fresh = turns.filter(({ id }) => !model.has(id)).map((turn) => takeTurn(model, turn));
  model.arrange([...fresh, ...known]);
  model.olderCursor = olderCursor;
}

/** The thread's history was cut on the server: only what it has now is shown. */
export function replaceAll(model: ThreadModel, stored: StoredTurns): void {
  model.arrange([]);
  takeNewest(model, stored);
}

function takeTurn(model: ThreadModel, stored: Turn): TurnModel {
  const known = model.has(stored.id);
  const turn = model.turn(stored.id);
  // A live turn that was heard from its beginning holds more than the server stored of it so far.
  const whole = known && turn.witnessed;
  model.describeTurn(stored);
  if (!whole && stored.itemsView !== "notLoaded") takeItems(model, turn, stored.items);
  return turn;
}

function takeItems(model: ThreadModel, turn: TurnModel, items: readonly ThreadItem[]): void {
  if (turn.itemIds.length > 0 && items.some(({ id }) => renumbered.test(id))) {
    takeRenumbered(model, turn, items);
    return;
  }
  const before = turn.itemIds;
  const keys = items.map((item) => {
    const key = turn.keys.get(item.id);
    // What still runs was heard up to now; the stored form may lag behind.
    if (key !== undefined && model.item(key)?.done === false && !isDone(item, turn)) return key;
    return model.putItem(turn, item, { done: isDone(item, turn) });
  });
  turn.arrange(merged(keys, before));
  model.touch();
}

/** The stored order, with what was only heard live after whatever it followed. */
function merged(stored: readonly string[], heard: readonly string[]): readonly string[] {
  const isStored = new Set(stored);
  const followers = new Map<string | null, string[]>([[null, []]]);
  let last: string | null = null;
  for (const key of heard) {
    if (isStored.has(key)) last = key;
    else followers.set(last, [...(followers.get(last) ?? []), key]);
  }
  return [...(followers.get(null) ?? []), ...stored.flatMap((key) => [key, ...(followers.get(key) ?? [])])];
}

/** Takes items whose ids are not those heard live: the stored ones replace all but what is still running. */
function takeRenumbered(model: ThreadModel, turn: TurnModel, items: readonly ThreadItem[]): void {
  const running = turn.ended ? [] : turn.itemIds.filter((key) => model.item(key)?.done === false);
  const keys = items.map((item) => model.putItem(turn, item, { done: isDone(item, turn) }));
  turn.arrange([...keys, ...running]);
  model.touch();
}

function isDone(item: ThreadItem, turn: TurnModel): boolean {
  return turn.ended || !("status" in item && item.status === "inProgress");
}
