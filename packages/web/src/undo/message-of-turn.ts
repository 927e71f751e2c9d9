import type { UserInput } from "@quire/protocol";
import type { ThreadState } from "../state/model.ts";

/** Everything that the user said in a turn. */
export function messageOfTurn({ turns, items }: ThreadState, turnId: string | null): readonly UserInput[] {
  const turn = turns.find(({ id }) => id === turnId);
  return (turn?.itemIds ?? []).flatMap((id) => {
    const item = items.get(id)?.item;
    return item?.type === "userMessage" ? item.content : [];
  });
}
