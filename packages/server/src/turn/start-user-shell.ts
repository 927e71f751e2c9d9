import { message, text } from "../prompt/message.ts";
import type { ActiveTurn } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";
import type { UserCommand } from "../tools/workbench/user-shell.ts";
import { addHistory } from "./add-history.ts";
import { modelLoop } from "./model-loop.ts";
import { toolContext } from "./run-calls.ts";
import { startTurn } from "./start-turn.ts";

/** Runs a user's command, in the running turn or in one of its own. The model sees it with its next request. */
export function startUserShell(thread: Thread, command: UserCommand): void {
  const { active } = thread;
  if (active) {
    setImmediate(() => void runAside(thread, active, command));
    return;
  }
  const request = { kind: "regular", outputSchema: null, metadata: {}, rootTurnId: null, serviceTier: null } as const;
  startTurn(thread, request, async (_, turn) => {
    const output = await thread.toolbox.runForUser(command, toolContext(thread, turn));
    addHistory(thread, turn, [message("user", [text(output)])]);
    turn.signal.throwIfAborted();
    // Somebody asked for something meanwhile.
    if (turn.pending.length > 0) await modelLoop(thread, turn);
  });
}

async function runAside(thread: Thread, turn: ActiveTurn, command: UserCommand): Promise<void> {
  try {
    const output = await thread.toolbox.runForUser(command, toolContext(thread, turn));
    thread.inject([message("user", [text(output)])]);
  } catch (error) {
    thread.core.server.log.error("the output of a user's command could not be stored", error);
  }
}
