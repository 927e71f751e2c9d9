/**
 * A thread on the screen: turns, items and deltas as one snapshot, for any user interface.
 * Run it: npx bun examples/20-thread-view.ts "What is in this folder?"
 */
import process from "node:process";
import { CodexClient } from "@quire/client";
import { openThread } from "@quire/client/view";

await using codex = await CodexClient.spawn();
const thread = await codex.thread({ sandbox: "read-only", approvalPolicy: "never" });

// Redraws at most ten times a second; a page would pass `requestAnimationFrame`.
const view = await openThread(codex, thread.id, { schedule: (draw) => setTimeout(draw, 100) });
const draw = (): void => {
  const { turns, items, activeTurn } = view.snapshot();
  console.log(activeTurn === null ? "idle" : "working");
  for (const id of turns.flatMap(({ itemIds }) => itemIds)) {
    const { item, done } = items.get(id) ?? {};
    if (item?.type === "agentMessage") console.log(`  ${item.text}${done ? "" : "…"}`);
    if (item?.type === "commandExecution") console.log(`  $ ${item.command} ${item.status}`);
  }
};
const stop = view.subscribe(draw);

await thread.run(process.argv[2] ?? "What is in this folder?");
stop();
view.close();
draw();
