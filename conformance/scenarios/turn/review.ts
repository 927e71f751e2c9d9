import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ThreadItem } from "@quire/protocol";
import { reply } from "@quire/testkit";
import { commitEverything } from "../../lib/git.ts";
import type { Scenario } from "../../lib/scenario.ts";
import { requestEach, startThread, unknownThread } from "../../lib/steps.ts";

const findings = {
  findings: [
    {
      title: "[P1] It adds wrongly",
      body: "The sum is off by one.",
      confidence_score: 0.9,
      priority: 1,
      code_location: { absolute_file_path: "/work/sum.js", line_range: { start: 2, end: 3 } },
    },
  ],
  overall_correctness: "patch is incorrect",
  overall_explanation: "One thing is wrong.",
  overall_confidence_score: 0.8,
};

/** Notifications of a review that the real server sends under two turns' ids; their content is compared instead. */
const told = [
  "thread/status/changed",
  "turn/started",
  "turn/completed",
  "item/started",
  "item/completed",
  "thread/tokenUsage/updated",
  "account/rateLimits/updated",
];

function essence(item: ThreadItem): unknown {
  if (item.type === "enteredReviewMode" || item.type === "exitedReviewMode") return [item.type, item.review];
  return item.type === "agentMessage" ? [item.type, item.text] : item.type;
}

const ownWords = {
  at: /^model (input|tool)/,
  reason: "A reviewer is asked in Quire's own words, and cannot ask the user.",
};

/** Reviews of changes. */
export const review: readonly Scenario[] = [
  {
    name: "review/findings",
    covers: "`review/start` of uncommitted changes: what is shown, and how findings are put into words",
    run: async (stage) => {
      writeFileSync(join(stage.cwd, "sum.js"), "1\n");
      commitEverything(stage.cwd);
      writeFileSync(join(stage.cwd, "sum.js"), "2\n");
      stage.model.script(reply().text(JSON.stringify(findings)));
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      const began = await peer.probe("review/start", { threadId, target: { type: "uncommittedChanges" } });
      stage.observe("thread", began?.reviewThreadId === threadId);
      await peer.waitFor("turn/completed");
      await stage.silence();
      const read = await peer.probe("thread/read", { threadId, includeTurns: true });
      stage.observe("turn", read?.thread.turns.at(-1)?.items.map(essence));
    },
    erratic: told,
    differences: [ownWords, { at: "seen: turn", reason: "What the reviewer is asked stands in the thread, too." }],
  },
  {
    name: "review/refused",
    covers: "What cannot be reviewed",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      await requestEach(peer, "review/start", [
        { threadId, target: { type: "custom", instructions: " " } },
        { threadId, target: { type: "baseBranch", branch: "" } },
        { threadId, target: { type: "commit", sha: "" } },
        { threadId: unknownThread, target: { type: "uncommittedChanges" } },
      ]);
    },
  },
];
