import type { Thread } from "@quire/protocol";
import type { Peer } from "../../lib/peer.ts";
import type { Scenario } from "../../lib/scenario.ts";
import { replyWords } from "../../lib/shared-differences.ts";
import { requestEach, runTurn, startThread } from "../../lib/steps.ts";

/** Threads of the real server within one second get lost between two of its pages. */
const secondMs = 1020;

/** Three threads with a turn each, so far apart that the real server tells their times apart. */
async function threeThreads(peer: Peer): Promise<Thread[]> {
  const threads: Thread[] = [];
  for (const [index, cwd] of [undefined, "/tmp", undefined].entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, secondMs));
    const thread = await startThread(peer, cwd === undefined ? {} : { cwd });
    await runTurn(peer, thread, `prompt number ${index}`);
    threads.push(thread);
  }
  return threads;
}

/** Finding threads. */
export const listing: readonly Scenario[] = [
  {
    name: "listing/all",
    covers: "`thread/list`: filters, sort keys, pages in both directions; `thread/loaded/list`; `thread/search`",
    run: async (stage) => {
      const peer = await stage.connect();
      const [first] = await threeThreads(peer);
      await peer.request("thread/name/set", { threadId: first?.id, name: "Zebra" });
      await peer.waitFor("thread/name/updated");
      const page = await peer.result("thread/list", { limit: 2 });
      const next = await peer.result("thread/list", { limit: 2, cursor: page.nextCursor });
      await peer.request("thread/list", { limit: 2, cursor: next.backwardsCursor, sortDirection: "asc" });
      await requestEach(peer, "thread/list", [
        { sortDirection: "asc" },
        { sortKey: "updated_at" },
        { sortKey: "recency_at" },
        { limit: 0 },
        { limit: 100_000 },
        { cwd: "/tmp" },
        { cwd: ["/tmp", stage.cwd] },
        { searchTerm: "number 2" },
        { searchTerm: "NUMBER 2" },
        { searchTerm: "Zebra" },
        { modelProviders: [] },
        { modelProviders: ["mock"] },
        { modelProviders: ["other"] },
        { sourceKinds: [] },
        { sourceKinds: ["vscode"] },
        { sourceKinds: ["cli"] },
        { archived: true },
        { archived: false },
        { excludedThreadIds: [first?.id] },
        { parentThreadId: first?.id },
        { useStateDbOnly: true },
      ]);
      const loaded = await peer.result("thread/loaded/list", { limit: 1 });
      await requestEach(peer, "thread/loaded/list", [{}, { limit: 2, cursor: loaded.nextCursor }, { limit: 0 }]);
      const hits = await peer.result("thread/search", { searchTerm: "prompt", limit: 1 });
      await requestEach(peer, "thread/search", [
        { searchTerm: "number" },
        { searchTerm: "ok" },
        { searchTerm: "prompt", limit: 1, cursor: hits.nextCursor },
        { searchTerm: "prompt", sortDirection: "asc" },
      ]);
    },
  },
  {
    name: "listing/refused",
    covers: "Cursors and filters that make no sense",
    run: async (stage) => {
      const peer = await stage.connect();
      await requestEach(peer, "thread/list", [
        { cursor: "nope" },
        { cursor: "" },
        { sortKey: "section_position" },
        { excludedThreadIds: ["bad"] },
        { cwd: "relative" },
      ]);
      await requestEach(peer, "thread/loaded/list", [{ cursor: "nope" }]);
      await requestEach(peer, "thread/search", [{ searchTerm: "" }, { searchTerm: "x", cursor: "nope" }]);
    },
    differences: [replyWords],
  },
];
