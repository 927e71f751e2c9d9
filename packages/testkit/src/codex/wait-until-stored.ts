import type { Thread } from "@quire/protocol";
import { eventually } from "../lib/eventually.ts";

/**
 * Waits until a thread reads back with the completed answer to `prompt` as its newest turn:
 *
 * ```ts
 * await thread.run("hello");
 * await waitUntilStored(() => client.readThread(thread.id, true), "hello");
 * ```
 *
 * Codex tells of a turn's end a little before it has written the turn, so a test that reads the thread at once, or kills
 * the server, sometimes finds less.
 *
 * @param read Reads the thread with its turns; `undefined` if it does not exist yet.
 */
export async function waitUntilStored(read: () => Promise<Thread | undefined>, prompt: string): Promise<void> {
  const isStored = async () => {
    const newest = (await read())?.turns.at(-1);
    return (
      newest?.status === "completed" &&
      newest.items.some(({ type }) => type === "agentMessage") &&
      JSON.stringify(newest.items).includes(JSON.stringify(prompt))
    );
  };
  await eventually(isStored, { what: `the turn "${prompt}" to be stored` });
}
