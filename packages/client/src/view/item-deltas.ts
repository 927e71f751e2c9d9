import type { ThreadItem } from "@quire/protocol";
import type { ItemState } from "./snapshot.ts";

/** Characters of a running command's output that are kept; the oldest are dropped. The finished item has all of it. */
const outputLimit: number = 1_000_000;
/** Dropping begins this far above the limit, so that not every delta has to cut. */
const outputSlack = 250_000;

/** The field of an item that a delta appends to. */
export type DeltaField = "text" | "output" | `summary:${number}` | `content:${number}`;

/** Deltas since the last frame, in order. */
export type DeltaBuffer = Map<DeltaField, string[]>;

/** Folds the deltas of a frame into an item: one new item per frame, however many deltas. */
export function applyDeltas(state: ItemState, buffer: DeltaBuffer): ItemState {
  let { item, clipped } = state;
  for (const [field, chunks] of buffer) {
    const added = chunks.join("");
    if (field === "text" && (item.type === "agentMessage" || item.type === "plan")) {
      item = { ...item, text: item.text + added };
    } else if (field === "output" && item.type === "commandExecution") {
      const output = (item.aggregatedOutput ?? "") + added;
      const tooLong = output.length > outputLimit + outputSlack;
      clipped ||= tooLong;
      item = { ...item, aggregatedOutput: tooLong ? output.slice(-outputLimit) : output };
    } else if (item.type === "reasoning") {
      item = withReasoning(item, field, added);
    }
  }
  return item === state.item ? state : { ...state, item, clipped };
}

function withReasoning(item: ThreadItem & { type: "reasoning" }, field: DeltaField, added: string): ThreadItem {
  const [part, index] = field.split(":");
  if (part !== "summary" && part !== "content") return item;
  const texts = [...(item[part] ?? [])];
  const at = Number(index);
  while (texts.length <= at) texts.push("");
  texts[at] = (texts[at] ?? "") + added;
  return { ...item, [part]: texts };
}

/** A stand-in for an item whose beginning was missed; `item/completed` replaces it by the whole. */
export function impliedItem(id: string, field: DeltaField, cwd: string): ThreadItem {
  if (field === "output") {
    return { type: "commandExecution", id, command: "", commandActions: [], cwd, status: "inProgress" };
  }
  if (field === "text") return { type: "agentMessage", id, text: "" };
  return { type: "reasoning", id, summary: [], content: [] };
}
