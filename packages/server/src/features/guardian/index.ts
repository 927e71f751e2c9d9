import type { Reviewer } from "../../approval/reviewer.ts";
import type { ThreadExtension } from "../../thread/extension.ts";
import type { Thread } from "../../thread/thread.ts";

/** Has a model decide over approvals in the user's place. Loaded when it first has to. */
export function guardian(thread: Thread): ThreadExtension {
  let opened: Promise<Reviewer> | undefined;
  return {
    reviewer: () => {
      opened ??= import("./guardian.ts").then(({ Guardian }) => new Guardian(thread));
      return opened;
    },
  };
}
