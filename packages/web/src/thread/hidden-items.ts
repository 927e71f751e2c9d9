import type { TurnState } from "@quire/client/view";
import type { ThreadState } from "../state/model.ts";

const none: ReadonlySet<string> = new Set();

/**
 * Items of a review that servers add for the model's sake: the prompt, which nobody typed, and the result, which comes
 * again as a message, and before that as the JSON that the model was asked for.
 */
export function hiddenItems({ itemIds }: TurnState, items: ThreadState["items"]): ReadonlySet<string> {
  const all = itemIds.map((id) => ({ id, item: items.get(id)?.item }));
  const begin = all.findIndex(({ item }) => item?.type === "enteredReviewMode");
  if (begin < 0) return none;
  const results = all.flatMap(({ item }) => (item?.type === "exitedReviewMode" ? [item.review.trim()] : []));
  const hidden = all.slice(begin).filter(({ item }) => {
    if (item?.type === "userMessage") return item.clientId == null;
    if (item?.type !== "agentMessage") return false;
    const text = item.text.trim();
    return text === "" || text.startsWith("{") || results.includes(text);
  });
  return new Set(hidden.map(({ id }) => id));
}
