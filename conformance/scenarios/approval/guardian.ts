import { type Reply, reply } from "@quire/testkit";
import type { Peer } from "../../lib/peer.ts";
import type { Scenario } from "../../lib/scenario.ts";
import type { Stage } from "../../lib/stage.ts";
import { beginTurn, command, endOfTurn, runTurn, startThread } from "../../lib/steps.ts";

const reviewed = {
  approvalPolicy: "on-request",
  sandbox: "workspace-write",
  approvalsReviewer: "auto_review",
  // The real sandbox puts a `.git` into folders that it opens; that of temporary files is everybody's.
  config: {
    "sandbox_workspace_write.exclude_slash_tmp": true,
    "sandbox_workspace_write.exclude_tmpdir_env_var": true,
  },
};
const escalated = { sandbox_permissions: "require_escalated", justification: "May I?" };
const allow = { risk_level: "low", user_authorization: "high", outcome: "allow", rationale: "fine" };
const deny = { risk_level: "high", user_authorization: "low", outcome: "deny", rationale: "too risky" };

/** Scripts the reviewer's answers, in order. Its requests are those that ask for an assessment. */
function reviewer(stage: Stage, ...answers: readonly (object | string | Reply)[]): void {
  const isReview = (request: { readonly body: object }) => JSON.stringify(request.body).includes('"risk_level":{');
  const replies = answers.map((answer) => {
    if (answer instanceof Object && "play" in answer) return answer as Reply;
    return reply().text(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  stage.model.when(isReview).reply(...replies);
}

function wants(line: string, callId = "call-1"): Reply {
  return command(line, escalated, { callId });
}

/** Nobody is to be asked: whoever is asked says no, and that shows. */
async function connect(stage: Stage): Promise<Peer> {
  const peer = await stage.connect();
  peer.answer("item/commandExecution/requestApproval", () => ({ decision: "decline" }));
  peer.answer("item/fileChange/requestApproval", () => ({ decision: "decline" }));
  return peer;
}

const differences = [
  {
    at: /^event item\/(started|completed) commandExecution params\.item\.commandActions/,
    reason: "What a command does is told from the start; Codex tells it when the reviewer has decided.",
  },
  {
    at: /^model /,
    reason: "The reviewer's instructions, and what the model is told of a denial, are Quire's own words.",
  },
];

/** Notifications that the real server may or may not send when the turn is interrupted during a response. */
const usage = ["thread/tokenUsage/updated", "account/rateLimits/updated"];

/** Approvals that a reviewer decides in the user's place. */
export const guardian: readonly Scenario[] = [
  {
    name: "guardian/allows",
    covers:
      "`approvalsReviewer: auto_review`: a command and permissions that the reviewer allows; one who looks around first",
    setup: { config: { "features.request_permissions_tool": true } },
    free: ["thread/tokenUsage/updated"],
    run: async (stage) => {
      reviewer(
        stage,
        command("ls; touch made-by-reviewer", {}, { callId: "look" }),
        allow,
        { outcome: "allow" },
        allow,
      );
      const asks = { reason: "why", permissions: { network: { enabled: true } } };
      stage.model.script(
        wants("touch one"),
        wants("touch two", "call-2"),
        reply().functionCall("request_permissions", asks, { callId: "call-3" }),
        command("ls", {}, { callId: "call-4" }),
        reply().text("done"),
      );
      const peer = await connect(stage);
      await runTurn(peer, await startThread(peer, reviewed), "go");
    },
    differences: [
      ...differences,
      {
        at: /^event (lacks: |adds: )?(guardianWarning|item\/autoApprovalReview\/completed)( params\.(message|review\.rationale)| thread)/,
        reason: "Where the reviewer gives no reason, Quire says so in its own words.",
      },
    ],
  },
  {
    name: "guardian/denies",
    covers:
      "`approvalsReviewer: guardian_subagent`: a command and a patch that the reviewer denies, and an answer nobody can read",
    free: ["thread/tokenUsage/updated"],
    run: async (stage) => {
      reviewer(stage, deny, allow, "no json", "still none", "never", allow, deny);
      const patch = "*** Begin Patch\n*** Add File: /proc/nowhere/x\n+new\n*** End Patch";
      stage.model.script(
        wants("touch one"),
        wants("touch two", "call-2"),
        wants("touch three", "call-3"),
        wants("touch four", "call-4"),
        command(`apply_patch <<'EOF'\n${patch}\nEOF\n`, {}, { callId: "call-5" }),
        reply().text("done"),
      );
      const peer = await connect(stage);
      await runTurn(peer, await startThread(peer, { ...reviewed, approvalsReviewer: "guardian_subagent" }), "go");
    },
    differences,
  },
  {
    name: "guardian/gives-up",
    covers: "Three denials in a row end the turn",
    erratic: usage,
    run: async (stage) => {
      reviewer(stage, deny, deny, deny);
      stage.model.script(...[1, 2, 3, 4].map((n) => wants(`touch n${n}`, `call-${n}`)), reply().text("done"));
      const peer = await connect(stage);
      await runTurn(peer, await startThread(peer, reviewed), "go");
    },
    differences,
  },
  {
    name: "guardian/overruled",
    covers: "`thread/approveGuardianDeniedAction`: the user allows what the reviewer denied",
    free: ["thread/tokenUsage/updated"],
    run: async (stage) => {
      reviewer(stage, deny, allow);
      stage.model.script(wants("touch n1"), reply().text("done"), wants("touch n1", "call-2"), reply().text("done"));
      const peer = await connect(stage);
      const thread = await startThread(peer, reviewed);
      await runTurn(peer, thread, "go");
      const action = { type: "command", source: "unified_exec", command: "/bin/bash -lc 'touch n1'", cwd: stage.cwd };
      const event = { id: "review-1", turn_id: "turn-1", status: "denied", rationale: "too risky", action };
      const events = [
        undefined,
        {},
        { id: "x" },
        { id: "x", status: "denied" },
        { ...event, action: { type: "command" } },
      ];
      for (const given of [...events, { ...event, status: "approved" }, event]) {
        await peer.request("thread/approveGuardianDeniedAction", { threadId: thread.id, event: given });
      }
      await runTurn(peer, thread, "again");
    },
    differences,
  },
  {
    name: "guardian/interrupted",
    covers: "Interrupting a turn while the reviewer thinks",
    // With us an interrupted review ends before its turn does, and so does the item; Codex mostly leaves both open.
    erratic: ["item/autoApprovalReview/completed", "item/completed", ...usage],
    run: async (stage) => {
      reviewer(
        stage,
        reply()
          .gate(new Promise(() => undefined))
          .text("late"),
      );
      stage.model.script(wants("touch n1"));
      const peer = await connect(stage);
      const thread = await startThread(peer, reviewed);
      const turn = await beginTurn(peer, thread, "go");
      await peer.waitFor("item/autoApprovalReview/started");
      await stage.silence();
      await peer.request("turn/interrupt", { threadId: thread.id, turnId: turn.id });
      await endOfTurn(peer);
    },
    differences,
  },
];
