import type { ThreadItem } from "@quire/protocol";
import type { ItemState } from "./model.ts";

/** A running command keeps this many characters of its output; what came first is dropped. It is whole again at its end. */
export const outputLimit: number = 1_000_000;
/** Dropping begins this far above the limit, so that not every delta has to cut. */
const outputSlack = 250_000;

/** Where in an item a delta belongs. */
export type DeltaField = "text" | "output" | `summary:${number}` | `content:${number}`;

/** Deltas that came since the last frame, in order. */
export type DeltaBuffer = Map<DeltaField, string[]>;

/** Folds what came since the last frame into an item. One new item per frame, however many deltas came. */
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

/** The item that a delta implies when its beginning was missed: the server tells the whole of it when it is done. */
export function impliedItem(id: string, field: DeltaField, cwd: string): ThreadItem {
  if (field === "output") {
    return { type: "commandExecution", id, command: "", commandActions: [], cwd, status: "inProgress" };
  }
  if (field === "text") return { type: "agentMessage", id, text: "" };
  return { type: "reasoning", id, summary: [], content: [] };
}
