import type { Thread } from "@quire/protocol";
import { eventually } from "@quire/testkit";

/**
 * Waits until a thread reads back with the answer to `prompt` as its newest turn: Codex up to 0.118 says that a turn is
 * completed a little before it has written it.
 */
export async function untilStored(read: () => Promise<Thread>, prompt: string): Promise<void> {
  const isNewest = async () => {
    const newest = (await read()).turns.at(-1);
    return (
      newest?.status === "completed" &&
      newest.items.some(({ type }) => type === "agentMessage") &&
      JSON.stringify(newest.items).includes(prompt)
    );
  };
  await eventually(isNewest, { what: `the turn "${prompt}" to be stored` });
}
