import type { HookRun, TurnState } from "@quire/client/view";
import type { HookEventName } from "@quire/protocol";

/** Hooks that run before the agent does anything. */
const atStart: ReadonlySet<HookEventName> = new Set(["sessionStart", "userPromptSubmit"]);
/** Hooks that run when the agent is done. */
const atEnd: ReadonlySet<HookEventName> = new Set(["stop", "interrupt", "sessionEnd"]);

/**
 * The hooks of a turn by the item that they are shown behind: the one whose call they are about, as far as their ids say
 * so, else the one they came after. Where that is not known, they are shown with the hooks that ran before them.
 */
export function hooksByItem({ hooks, itemIds }: TurnState): ReadonlyMap<string | null, readonly HookRun[]> {
  const byItem = new Map<string | null, HookRun[]>();
  if (hooks.length === 0) return byItem;
  const known = new Set(itemIds);
  const first = itemIds[0] ?? null;
  let item = first;
  for (const hook of hooks) {
    item = itemOf(hook);
    const runs = byItem.get(item);
    if (runs === undefined) byItem.set(item, [hook]);
    else runs.push(hook);
  }
  return byItem;

  function itemOf({ run, afterItem }: HookRun): string | null {
    const call = run.id.split(`${run.sourcePath}:`)[1];
    if (call !== undefined && known.has(call)) return call;
    if (atStart.has(run.eventName)) return first;
    // Hooks of an item that was dropped, such as a message that was streamed again, stay with those before.
    if (afterItem !== undefined && (afterItem === null || known.has(afterItem))) return afterItem;
    return atEnd.has(run.eventName) ? (itemIds.at(-1) ?? null) : item;
  }
}
