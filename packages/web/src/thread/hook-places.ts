import type { HookRun, TurnState } from "@quire/client/view";
import type { HookEventName } from "@quire/protocol";

/** Hooks that run before the agent does anything. */
const atStart: ReadonlySet<HookEventName> = new Set(["sessionStart", "userPromptSubmit"]);
/** Hooks that run when the agent is done. */
const atEnd: ReadonlySet<HookEventName> = new Set(["stop", "interrupt", "sessionEnd"]);

/**
 * The hooks of a turn by the item that they are shown behind: the one whose call they are about, as far as their ids say
 * so, else the one they came after. Where that was not heard, they stand with the hooks that ran before them.
 */
export function hooksByPlace({ hooks, itemIds }: TurnState): ReadonlyMap<string | null, readonly HookRun[]> {
  const places = new Map<string | null, HookRun[]>();
  if (hooks.length === 0) return places;
  const known = new Set(itemIds);
  const first = itemIds[0] ?? null;
  let place = first;
  for (const hook of hooks) {
    place = placeOf(hook);
    const runs = places.get(place);
    if (runs === undefined) places.set(place, [hook]);
    else runs.push(hook);
  }
  return places;

  function placeOf({ run, afterItem }: HookRun): string | null {
    const call = run.id.split(`${run.sourcePath}:`)[1];
    if (call !== undefined && known.has(call)) return call;
    if (atStart.has(run.eventName)) return first;
    // What is gone, as speech that was said anew, leaves its hooks with those before.
    if (afterItem !== undefined && (afterItem === null || known.has(afterItem))) return afterItem;
    return atEnd.has(run.eventName) ? (itemIds.at(-1) ?? null) : place;
  }
}
