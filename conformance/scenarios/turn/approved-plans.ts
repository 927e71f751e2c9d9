import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Scenario } from "../../lib/scenario.ts";
import { requestEach, runTurn, startThread, unknownThread } from "../../lib/steps.ts";

/** Plans that a user has approved, and calls that a reviewer looks at on request. */
export const approvedPlans: readonly Scenario[] = [
  {
    name: "plans/approved",
    covers: "`thread/prepareApprovedPlan` gives a fresh thread the plan as the output of a tool",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const { id: threadId } = thread;
      writeFileSync(join(stage.cwd, "plan.md"), "# Plan");
      await requestEach(peer, "thread/prepareApprovedPlan", [
        { threadId, markdown: "# Plan\n1. Do it" },
        { threadId, markdown: " " },
        { threadId, markdown: "x", attachmentPath: "plan.md" },
        { threadId: unknownThread, markdown: "x" },
      ]);
      await runTurn(peer, thread, "Implement the plan.");
      const other = await startThread(peer);
      await peer.request("thread/prepareApprovedPlan", {
        threadId: other.id,
        markdown: "# Plan",
        attachmentPath: join(stage.cwd, "plan.md"),
      });
      await runTurn(peer, other, "Implement the plan.");
    },
  },
  {
    name: "guardian/asked",
    covers: "`thread/guardianReview` looks only at a call that ends the history, and not at what needs no review",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      await requestEach(peer, "thread/guardianReview", [{ threadId }, { threadId: unknownThread }]);
      for (const [index, cmd] of ["ls", "rm -rf nothing-there"].entries()) {
        const item = {
          type: "function_call",
          name: "exec_command",
          call_id: `call-${index}`,
          arguments: JSON.stringify({ cmd }),
        };
        await peer.request("thread/inject_items", { threadId, items: [item] });
        await peer.request("thread/guardianReview", { threadId });
      }
    },
  },
];
