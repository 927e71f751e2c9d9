/** A reviewer in the user's place: what it may do, what it is shown, and what is denied when it fails. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gate, type RecordedRequest, type Reply, reply } from "@quire/testkit";
import { addition, command } from "../../approval/support.ts";
import { type TestServer, testServer } from "../../support/test-server.ts";

const reviewed = (cwd: string) => ({
  cwd,
  approvalPolicy: "on-request",
  sandbox: "workspace-write",
  approvalsReviewer: "auto_review",
});
const escalated = { sandbox_permissions: "require_escalated", justification: "May I?" };
const verdict = (outcome: "allow" | "deny") =>
  reply().text(JSON.stringify({ outcome, risk_level: "low", user_authorization: "high", rationale: `I ${outcome}` }));

const isReview = ({ body }: RecordedRequest) => JSON.stringify(body).includes('"risk_level":{');

function reviewer(it: TestServer, ...replies: Reply[]): void {
  it.model.when(isReview).reply(...replies);
}

const requests = (it: TestServer) => it.model.requests.filter(isReview);

test("what the reviewer allows runs, what it denies does not, and the user is not asked", async () => {
  for (const outcome of ["allow", "deny"] as const) {
    await using it = await testServer();
    reviewer(it, verdict(outcome));
    it.model.script(command("touch made", escalated), reply().text("done"));
    const { client } = it;
    await client.ended(await client.start(await client.thread({ ...reviewed(it.cwd), sandbox: "read-only" })));
    assert.equal(existsSync(join(it.cwd, "made")), outcome === "allow");
    assert.equal(client.completed("call-1").status, outcome === "allow" ? "completed" : "declined");
    assert.ok(!client.received.some(({ method }) => /requestApproval/.test(method)));
    const [params] = client.all("item/autoApprovalReview/completed");
    assert.ok(params);
    assert.deepEqual(
      [params.review.status, params.review.rationale, params.targetItemId],
      [outcome === "allow" ? "approved" : "denied", `I ${outcome}`, "call-1"],
    );
    if (outcome === "deny") assert.match(it.model.last?.functionOutput("call-1") ?? "", /I deny/);
  }
});

test("the reviewer is shown what was said and the exact action, and its commands only read", async () => {
  await using it = await testServer();
  reviewer(it, command(`echo seen; touch ${it.cwd}/by-reviewer`, {}, "look"), verdict("allow"));
  it.model.script(command("touch a", escalated), reply().text("done"));
  const { client } = it;
  await client.ended(await client.start(await client.thread(reviewed(it.cwd))));
  const [first, second] = requests(it);
  const shown = JSON.stringify(first?.body.input);
  assert.match(shown, /\[user\] go/);
  assert.doesNotMatch(shown, /\[user\] </, "context is nothing that the user has said");
  assert.match(shown, /touch a/);
  assert.deepEqual(
    first?.body.tools?.map(({ name }) => name),
    ["exec_command", "write_stdin", "view_image"],
  );
  assert.match(second?.functionOutput("look") ?? "", /seen[\s\S]*Read-only file system/);
  assert.ok(!existsSync(join(it.cwd, "by-reviewer")));
  assert.equal(client.completed("look"), undefined, "what the reviewer does is not the thread's");
});

test("a reviewer that gives no verdict, or cannot be asked, allows nothing", async () => {
  const unreadable = [reply().text("sure"), reply().text("{}"), reply().text('{"outcome":"maybe"}')];
  const failing = [reply().failed("invalid_prompt", "no")];
  for (const replies of [unreadable, failing]) {
    await using it = await testServer();
    reviewer(it, ...replies);
    it.model.script(addition("made"), reply().text("done"));
    const { client } = it;
    await client.ended(await client.start(await client.thread({ ...reviewed(it.cwd), sandbox: "read-only" })));
    assert.ok(!existsSync(join(it.cwd, "made")));
    assert.equal(client.completed("call-1").status, "declined");
    assert.match(it.model.last?.functionOutput("call-1") ?? "", /review failed/);
  }
});

test("an interrupt ends the review: nothing runs, and its end is told", async () => {
  await using it = await testServer();
  const held = gate();
  reviewer(it, reply().gate(held).text("late"));
  it.model.script(command("touch a", escalated));
  const { client } = it;
  const threadId = await client.thread(reviewed(it.cwd));
  const turn = await client.start(threadId);
  await client.find(() => requests(it).length > 0);
  await client.request("turn/interrupt", { threadId, turnId: turn });
  assert.equal((await client.ended(turn)).status, "interrupted");
  const [params] = client.all("item/autoApprovalReview/completed");
  assert.ok(params);
  assert.equal(params.review.status, "aborted");
  assert.equal(client.completed("call-1").status, "declined");
  held.open();
});

test("three denials in a row end the turn; an action that the user approves then is put before model and reviewer", async () => {
  await using it = await testServer();
  reviewer(it, verdict("deny"), verdict("deny"), verdict("deny"), verdict("allow"));
  it.model.script(...[1, 2, 3].map((n) => command("touch a", escalated, `call-${n}`)));
  const { client } = it;
  const threadId = await client.thread(reviewed(it.cwd));
  assert.equal((await client.ended(await client.start(threadId))).status, "interrupted");
  const action = { type: "command", source: "unifiedExec", command: "touch a", cwd: it.cwd };
  await client.request("thread/approveGuardianDeniedAction", {
    threadId,
    event: { id: "review", status: "denied", action },
  });
  it.model.script(command("touch a", escalated, "call-4"), reply().text("done"));
  await client.ended(await client.start(threadId));
  assert.equal(client.completed("call-4").status, "completed");
  assert.match(JSON.stringify(requests(it).at(-1)?.body.input), /The user has approved an action/);
});
