import type { Scenario } from "../lib/scenario.ts";
import { requestEach, runTurn, startThread, unknownThread } from "../lib/steps.ts";

/** Names, metadata and settings of a thread. */
export const settings: readonly Scenario[] = [
  {
    name: "settings/metadata",
    covers: "`thread/metadata/update`: git information is set, changed and cleared field by field",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const threadId = thread.id;
      await runTurn(peer, thread, "a");
      const gitInfo = { branch: "feature", sha: "abc", originUrl: "https://example.com/x" };
      await requestEach(peer, "thread/metadata/update", [
        { threadId, gitInfo },
        { threadId, gitInfo: { branch: null } },
        { threadId, gitInfo: { sha: null, originUrl: null } },
        { threadId },
        { threadId, gitInfo: {} },
        { threadId, gitInfo: { branch: "" } },
        { threadId: unknownThread, gitInfo },
      ]);
    },
  },
  {
    name: "settings/name",
    covers: "`thread/name/set` and who hears of it",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "a");
      await peer.request("thread/name/set", { threadId: thread.id, name: "A name" });
      await peer.waitFor("thread/name/updated");
      await peer.request("thread/read", { threadId: thread.id });
      await requestEach(peer, "thread/name/set", [{ threadId: thread.id }, { threadId: unknownThread, name: "x" }]);
    },
  },
  {
    name: "settings/update",
    covers: "`thread/settings/update`: all settings at once, none, the same again",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const threadId = thread.id;
      await peer.request("thread/settings/update", {
        threadId,
        model: "model-2",
        effort: "high",
        summary: "concise",
        approvalPolicy: "on-request",
        sandboxPolicy: { type: "readOnly" },
        cwd: "/tmp",
        personality: "friendly",
        serviceTier: "flex",
      });
      await peer.waitFor("thread/settings/updated");
      await runTurn(peer, thread, "a");
      await requestEach(peer, "thread/settings/update", [
        { threadId },
        { threadId, model: "model-2" },
        { threadId: unknownThread },
      ]);
      await peer.request("thread/settings/update", { threadId, serviceTier: null, effort: null });
      await peer.waitFor("thread/settings/updated");
      await peer.request("thread/read", { threadId });
    },
  },
];
