import type { ThreadItem, Turn } from "@quire/protocol";
import type { HistoryPage } from "./snapshot.ts";
import type { ThreadModel } from "./thread-model.ts";
import type { TurnModel } from "./turn-model.ts";

/** Ids that servers before 0.166 give stored items. They do not match the ids of the same items in notifications. */
const renumbered = /^item-\d+$/;

/**
 * Merges the newest stored turns. Turns that were followed from their beginning stay as they are; turns that were
 * loaded before stay when the page joins on to them, and are dropped when turns may be missing in between.
 */
export function mergeNewest(model: ThreadModel, { turns: all, olderCursor }: HistoryPage): void {
  const turns = withoutParts(all);
  const known = [...model.turns];
  const ids = new Set(turns.map(({ id }) => id));
  const join = known.findIndex(({ id }) => ids.has(id));
  const startedSince = (turn: TurnModel): boolean => turn.witnessed && !ids.has(turn.id);
  const older = join > 0 ? known.slice(0, join) : [];
  const newer = (join >= 0 ? known.slice(join) : known).filter(startedSince);
  const stored = turns.map((turn) => mergeTurn(model, turn));
  model.arrange([...older, ...stored, ...newer]);
  if (older.length === 0) model.olderCursor = olderCursor;
}

/** Adds a page of turns that are older than all that are here. */
export function prependOlder(model: ThreadModel, { turns, olderCursor }: HistoryPage): void {
  const known = [...model.turns];
  const fresh = withoutParts(turns)
    .filter(({ id }) => !model.has(id))
    .map((turn) => mergeTurn(model, turn));
  model.arrange([...fresh, ...known]);
  model.olderCursor = olderCursor;
}

/** Without the turns that servers run within a review, whose end they do not store: the review shows all of them. */
function withoutParts(turns: readonly Turn[]): readonly Turn[] {
  const isReview = ({ items }: Turn): boolean => items.some(({ type }) => type === "enteredReviewMode");
  const reviews = new Set(turns.filter(isReview).map(({ id }) => id));
  return turns.filter(({ id, rootTurnId }) => !rootTurnId || rootTurnId === id || !reviews.has(rootTurnId));
}

function mergeTurn(model: ThreadModel, stored: Turn): TurnModel {
  const known = model.has(stored.id);
  const turn = model.turn(stored.id);
  // A turn that was followed from its beginning holds more than the server has stored of it so far.
  const whole = known && turn.witnessed;
  model.describeTurn(stored);
  if (!whole && stored.itemsView !== "notLoaded") mergeItems(model, turn, stored.items);
  return turn;
}

function mergeItems(model: ThreadModel, turn: TurnModel, items: readonly ThreadItem[]): void {
  if (turn.itemIds.length > 0 && items.some(({ id }) => renumbered.test(id))) {
    mergeRenumbered(model, turn, items);
    return;
  }
  const before = turn.itemIds;
  const keys = items.map((item) => {
    const key = turn.keys.get(item.id);
    // The stored form of an item that still runs may lag behind.
    if (key !== undefined && model.item(key)?.done === false && !isDone(item, turn)) return key;
    return model.putItem(turn, item, { done: isDone(item, turn) });
  });
  turn.arrange(merged(keys, before));
  model.touch();
}

/** The stored order; each item that is only in the live order comes after the stored item that it followed there. */
function merged(stored: readonly string[], live: readonly string[]): readonly string[] {
  const isStored = new Set(stored);
  const followers = new Map<string | null, string[]>([[null, []]]);
  let last: string | null = null;
  for (const key of live) {
    if (isStored.has(key)) last = key;
    else followers.set(last, [...(followers.get(last) ?? []), key]);
  }
  return [...(followers.get(null) ?? []), ...stored.flatMap((key) => [key, ...(followers.get(key) ?? [])])];
}

/** Replaces all but the running items: the stored ids do not tell which live item is which. */
function mergeRenumbered(model: ThreadModel, turn: TurnModel, items: readonly ThreadItem[]): void {
  const running = turn.ended ? [] : turn.itemIds.filter((key) => model.item(key)?.done === false);
  const keys = items.map((item) => model.putItem(turn, item, { done: isDone(item, turn) }));
  turn.arrange([...keys, ...running]);
  model.touch();
}

function isDone(item: ThreadItem, turn: TurnModel): boolean {
  return turn.ended || !("status" in item && item.status === "inProgress");
}
