import { readdirSync } from "node:fs";
import { gate, reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { beginTurn, command, endOfTurn, requestEach, runTurn, startThread, unknownThread } from "../../lib/steps.ts";

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
    name: "settings/update-in-turn",
    covers:
      "`thread/settings/update` while a turn runs: the next turn has the new settings, the running one keeps its own",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer, { sandbox: "read-only", approvalPolicy: "never" });
      const { id: threadId } = thread;
      const hold = gate();
      // Commands that succeed: Codex shows one that the sandbox has stopped as a command, or not, by chance.
      stage.model.script(
        reply()
          .text(["begun", hold])
          .functionCall("exec_command", { cmd: "echo one > one || true" }, { callId: "call-1" }),
        command("echo two > two || true", {}, { callId: "call-2" }),
        reply().text("done"),
        command("echo three > three", {}, { callId: "call-3" }),
      );
      const turn = await beginTurn(peer, thread, "go");
      await peer.waitFor("item/agentMessage/delta");
      const sandboxPolicy = { type: "dangerFullAccess" };
      await peer.request("thread/settings/update", { threadId, model: "model-2", effort: "high", sandboxPolicy });
      await peer.waitFor("thread/settings/updated");
      await peer.request("thread/read", { threadId });
      hold.open();
      await endOfTurn(peer, turn.id);
      stage.observe("files of the first turn", readdirSync(stage.cwd));
      await runTurn(peer, thread, "again");
      stage.observe("files", readdirSync(stage.cwd));
    },
    differences: [
      {
        at: "model tool web_search.external_web_access",
        reason: "A wider sandbox does not change the tools of a thread, so that the provider's prompt cache holds.",
      },
    ],
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
