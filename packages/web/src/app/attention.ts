import { navigate, threadHref } from "../navigation/routes.ts";
import { readPreferences } from "../side-panel/index.ts";
import type { ThreadSummary } from "../state/model.ts";
import { keyText } from "../state/model.ts";
import type { Attention, PageStore } from "../state/page-store.ts";
import { threadTitle } from "../state/thread-title.ts";
import { appWords } from "../words/words.ts";
import { pageTitle } from "./page-title.ts";

/** Keeps the page's title at how many threads want the user, and tells the browser when one begins to. */
export function followAttention(store: PageStore): void {
  store.subscribe(() => {
    const title = pageTitle(store.getState());
    if (document.title !== title) document.title = title;
  });
  store.onAttention((attention) => notify(store, attention));
}

/** Shows a browser notification where the user allowed that and looks elsewhere. */
function notify(store: PageStore, attention: Attention): void {
  if (!readPreferences().notifications || document.visibilityState === "visible") return;
  if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
  const thread = store.getState().threads.get(keyText(attention.key));
  // Sub-agents report to their parent; only their questions are for the user.
  if (attention.kind === "turnEnded" && thread?.parent !== null && thread !== undefined) return;
  const notification = new Notification(headline(attention), {
    body: thread === undefined ? "" : threadTitle(thread),
    tag: keyText(attention.key),
  });
  notification.onclick = () => {
    window.focus();
    navigate(threadHref(attention.key));
    notification.close();
  };
}

function headline(attention: Attention): string {
  if (attention.kind === "asked") return appWords.waitingAnswer;
  return attention.failed ? appWords.turnFailedTitle : appWords.turnEndedTitle;
}

/** The announcement for assistive tools when something happens outside of the thread in view. */
export function announcement(attention: Attention, thread: ThreadSummary | undefined): string {
  const name = thread === undefined ? appWords.thread : threadTitle(thread);
  if (attention.kind === "asked") return appWords.waitsAnswer(name);
  return attention.failed ? appWords.turnFailed(name) : appWords.turnEnded(name);
}
