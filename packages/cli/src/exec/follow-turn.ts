import type { ServerNotification, ThreadTokenUsage } from "@quire/protocol";
import type { Link } from "./link.ts";
import type { ExecOutput, TurnEnd } from "./output.ts";

/** Prints what happens in a turn, and resolves when it has ended. Other threads and turns are left out. */
export function followTurn(
  link: Link,
  ids: { threadId: string; turnId: string },
  output: ExecOutput,
): Promise<TurnEnd> {
  return new Promise((resolve) => {
    let message: string | undefined;
    let plan: string | undefined;
    let usage: ThreadTokenUsage | undefined;
    link.follow((notification) => {
      if (!concerns(notification, ids)) return;
      const { method, params } = notification;
      if (method === "thread/tokenUsage/updated") usage = params.tokenUsage;
      if (method === "item/completed" && params.item.type === "agentMessage") message = params.item.text;
      if (method === "item/completed" && params.item.type === "plan") plan = params.item.text;
      if (method !== "turn/completed") return output.take(notification);
      const { turn } = params;
      resolve({ turn, usage, lastMessage: turn.status === "completed" ? (message ?? plan) : undefined });
    });
  });
}

function concerns({ params }: ServerNotification, { threadId, turnId }: { threadId: string; turnId: string }): boolean {
  const named = params as { threadId?: string | null; turnId?: string | null; turn?: { id: string } };
  const turn = named.turn?.id ?? named.turnId;
  return (named.threadId ?? threadId) === threadId && (turn ?? turnId) === turnId;
}
