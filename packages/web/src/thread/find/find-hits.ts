import type { ThreadItem } from "@quire/protocol";
import type { ThreadState } from "../../state/model.ts";

/** A place where what is searched for stands. */
export interface Hit {
  readonly itemId: string;
  /** Place in the item's text. */
  readonly at: number;
  /** Number of hits before it in the same item. */
  readonly nth: number;
}

/** More hits than that are not listed: the user will say more. */
const maxHits = 1000;

/** Every place of a term in the loaded turns, oldest first. Upper and lower case are alike. */
export function findHits({ turns, items }: Pick<ThreadState, "turns" | "items">, term: string): readonly Hit[] {
  const needle = term.toLocaleLowerCase();
  const hits: Hit[] = [];
  if (needle.trim() === "") return hits;
  for (const { itemIds } of turns) {
    for (const itemId of itemIds) {
      const item = items.get(itemId)?.item;
      if (item === undefined) continue;
      const text = textOf(item).toLocaleLowerCase();
      let nth = 0;
      for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
        hits.push({ itemId, at, nth: nth++ });
        if (hits.length >= maxHits) return hits;
      }
    }
  }
  return hits;
}

/** True for the same place. */
export const isSameHit = (a: Hit | null, b: Hit | null): boolean => a?.itemId === b?.itemId && a?.at === b?.at;

/** The words of an item as somebody would search for them. */
function textOf(item: ThreadItem): string {
  switch (item.type) {
    case "userMessage":
      return item.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    case "agentMessage":
    case "plan":
      return item.text;
    case "reasoning":
      return [...(item.summary ?? []), ...(item.content ?? [])].join("\n");
    case "commandExecution":
      return `${item.command}\n${item.aggregatedOutput ?? ""}`;
    case "fileChange":
      return (item.changes ?? []).map(({ path, diff }) => `${path}\n${diff}`).join("\n");
    case "exitedReviewMode":
      return item.review;
    default:
      return "";
  }
}
