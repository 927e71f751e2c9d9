import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Reply, reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { command, runTurn, startThread } from "../../lib/steps.ts";

const aboutCommand = "item/commandExecution/requestApproval";
const aboutFiles = "item/fileChange/requestApproval";
const untrusted = { approvalPolicy: "untrusted", sandbox: "danger-full-access" };

function patch(lines: string, callId: string): Reply {
  return command(`apply_patch <<'EOF'\n*** Begin Patch\n${lines}\n*** End Patch\nEOF\n`, {}, { callId });
}

/** An approval covers exactly what was shown. */
export const approvalsExact: readonly Scenario[] = [
  {
    name: "approvals/files-changed",
    covers: "A file that changes while its patch is approved",
    free: ["item/completed"],
    erratic: ["turn/diff/updated"],
    run: async (stage) => {
      writeFileSync(join(stage.cwd, "a"), "one\ntwo\n");
      stage.model.script(patch("*** Update File: a\n@@\n-two\n+three", "call-1"), reply().text("done"));
      const peer = await stage.connect();
      peer.answer(aboutFiles, () => {
        writeFileSync(join(stage.cwd, "a"), "sudo \\\ntwo\n");
        return { decision: "accept" };
      });
      await runTurn(peer, await startThread(peer, untrusted), "go");
    },
    differences: [
      {
        at: /^event item\/completed fileChange params\.item\.status$|^model input (lacks|adds): function_call_output /,
        reason: "A patch whose file has changed since it was shown fails; Codex applies it to what is there.",
      },
    ],
  },
  {
    name: "approvals/files-session",
    covers: "Changes of files that were approved for the session: written again, and deleted",
    free: ["item/completed", "thread/tokenUsage/updated"],
    erratic: ["turn/diff/updated"],
    run: async (stage) => {
      stage.model.script(
        patch("*** Add File: a\n+one", "call-1"),
        patch("*** Update File: a\n@@\n-one\n+two", "call-2"),
        patch("*** Delete File: a", "call-3"),
        reply().text("done"),
      );
      const peer = await stage.connect();
      const left = ["acceptForSession", "accept"];
      peer.answer(aboutFiles, () => ({ decision: left.shift() }));
      await runTurn(peer, await startThread(peer, untrusted), "go");
    },
    differences: [
      {
        at: /^event adds: (thread\/status\/changed|item\/fileChange\/requestApproval|serverRequest\/resolved)/,
        reason: "An approval to write a file for the session is none to delete it.",
      },
    ],
  },
  {
    name: "approvals/amendment-other",
    covers: "An answer with another rule than was proposed",
    free: ["item/completed"],
    run: async (stage) => {
      stage.model.script(command("touch made", {}, { callId: "call-1" }), reply().text("done"));
      const peer = await stage.connect();
      peer.answer(aboutCommand, () => ({
        decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["sh"] } },
      }));
      await runTurn(peer, await startThread(peer, untrusted), "go");
    },
    differences: [
      {
        at: /^event item\/completed commandExecution params\.item\.|^model input (lacks|adds): (function_call_output|developer) /,
        reason: "Only the rule that was proposed can be accepted; Codex makes a rule of whatever the client answers.",
      },
    ],
  },
];
