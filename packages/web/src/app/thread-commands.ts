import type { SlashCommandName } from "../composer/index.ts";
import { navigate, newHref, threadHref } from "../navigation/routes.ts";
import type { Actions } from "../state/actions.ts";
import type { ThreadKey } from "../state/model.ts";
import { appWords } from "../words/words.ts";

/** The thread and page that a command is given in. */
export interface CommandPlace {
  readonly actions: Actions;
  /** The thread in view; null where a thread is only about to begin. */
  readonly key: ThreadKey | null;
  readonly cwd: string | null;
  /** Shows the panel with the thread's facts. */
  readonly onStatus: () => void;
}

/** Does what a slash command says. */
export async function runCommand(place: CommandPlace, name: SlashCommandName, argument: string): Promise<void> {
  const { actions, key, cwd } = place;
  if (name === "new") return navigate(newHref(key?.hub ?? null, cwd));
  if (key === null) throw new Error(appWords.needsThreadSendMessageFirst(name));
  if (name === "status") return place.onStatus();
  if (name === "compact") return actions.compact(key);
  if (name === "fork") return navigate(threadHref(await actions.fork(key)));
  if (name === "rename") return actions.rename(key, argument);
  if (name === "review") {
    const target =
      argument === ""
        ? ({ type: "uncommittedChanges" } as const)
        : ({ type: "custom", instructions: argument } as const);
    return actions.review(key, target);
  }
}
