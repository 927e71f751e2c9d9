import type { AppState } from "../state/model.ts";
import { appWords } from "../words/words.ts";

/** The page's title: the number counts threads that wait for an answer, or have something new. */
export function pageTitle({ threads }: Pick<AppState, "threads">): string {
  let count = 0;
  for (const thread of threads.values()) if (thread.status === "waiting" || thread.unread) count++;
  return count === 0 ? appWords.quire : `(${count}) Quire`;
}
