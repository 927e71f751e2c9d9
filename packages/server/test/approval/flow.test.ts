/** Questions from the server's side: what is said in which order, who may answer, and how each ends. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { eventually, reply } from "@quire/testkit";
import { testServer } from "../support/test-server.ts";
import { addition, command, story } from "./support.ts";

const untrusted = (cwd: string) => ({ cwd, approvalPolicy: "untrusted", sandbox: "danger-full-access" });

test("an accepted command: the thread waits, the item is shown, the question comes, and the same item ends", async () => {
  await using it = await testServer();
  it.model.script(command("touch made"), reply().text("done"));
  const { client } = it;
  const turn = await client.start(await client.thread(untrusted(it.cwd)));
  const { params } = await client.question("call-1");
  assert.deepEqual(params.proposedExecpolicyAmendment, ["touch", "made"]);
  assert.deepEqual(params.availableDecisions, [
    "accept",
    { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch", "made"] } },
    "cancel",
  ]);
  assert.equal(params.cwd, it.cwd);
  assert.match(params.command, /touch made/);
  assert.equal(params.kind, "command");
  await client.answer("call-1", { decision: "accept" });
  assert.equal((await client.ended(turn)).status, "completed");
  assert.deepEqual(story(client), [
    "active []",
    "active [waitingOnApproval]",
    "item/started inProgress",
    "item/commandExecution/requestApproval",
    "serverRequest/resolved",
    "active []",
    "item/completed completed",
    "idle []",
    "turn/completed",
  ]);
  assert.ok(existsSync(join(it.cwd, "made")));
});

test("a declined command ends declined, a cancelled one with its turn, and an error fails it", async () => {
  for (const [answer, status, ends] of [
    ["decline", "declined", "completed"],
    ["cancel", "declined", "interrupted"],
    ["nonsense", "failed", "completed"],
    [undefined, "failed", "completed"],
  ] as const) {
    await using it = await testServer();
    it.model.script(command("touch made"), reply().text("done"));
    const { client } = it;
    const turn = await client.start(await client.thread(untrusted(it.cwd)));
    if (answer === undefined) await client.refuse("call-1");
    else await client.answer("call-1", { decision: answer });
    assert.equal((await client.ended(turn)).status, ends);
    assert.equal(client.completed("call-1").status, status);
    assert.ok(!existsSync(join(it.cwd, "made")));
  }
});

test("an interrupt withdraws the question and completes the item before the turn ends", async () => {
  for (const asked of [command("touch made"), addition("made")]) {
    await using it = await testServer();
    it.model.script(asked);
    const { client } = it;
    const threadId = await client.thread(untrusted(it.cwd));
    const turnId = await client.start(threadId);
    await client.question("call-1");
    await client.request("turn/interrupt", { threadId, turnId });
    assert.equal((await client.ended(turnId)).status, "interrupted");
    const seen = story(client);
    assert.deepEqual(seen.slice(-4), [
      "serverRequest/resolved",
      "item/completed declined",
      "idle []",
      "turn/completed",
    ]);
    assert.ok(!existsSync(join(it.cwd, "made")));
  }
});

test("of two clients the first answer wins, and the other is told that the question is settled", async () => {
  await using it = await testServer();
  it.model.script(reply().text("hello"), command("touch made"), reply().text("done"));
  const [first, second] = [it.client, await it.connect()];
  const threadId = await first.thread(untrusted(it.cwd));
  await first.ended(await first.start(threadId));
  await second.request("thread/resume", { threadId });
  const turn = await first.start(threadId);
  await first.question("call-1");
  const { id } = await second.question("call-1");
  await second.answer("call-1", { decision: "accept" });
  assert.equal((await first.ended(turn)).status, "completed");
  for (const client of [first, second]) await client.find(({ method }) => method === "serverRequest/resolved");
  const told = await second.find(({ method }) => method === "serverRequest/resolved");
  assert.equal(told.params.requestId, id);
  await first.answer("call-1", { decision: "decline" });
  assert.equal(first.completed("call-1").status, "completed");
});

test("one client's error leaves the question to the other", async () => {
  await using it = await testServer();
  it.model.script(reply().text("hello"), command("touch made"), reply().text("done"));
  const [first, second] = [it.client, await it.connect()];
  const threadId = await first.thread(untrusted(it.cwd));
  await first.ended(await first.start(threadId));
  await second.request("thread/resume", { threadId });
  const turn = await first.start(threadId);
  await first.refuse("call-1");
  await second.answer("call-1", { decision: "accept" });
  assert.equal((await second.ended(turn)).status, "completed");
  assert.equal(second.completed("call-1").status, "completed");
});

test("a question survives its client and is asked again of whoever resumes the thread", async () => {
  await using it = await testServer();
  it.model.script(command("touch made"), reply().text("done"));
  const first = await it.connect();
  const threadId = await first.thread(untrusted(it.cwd));
  const turn = await first.start(threadId);
  await first.question("call-1");
  await first.close();
  const second = await it.connect();
  const { thread } = await second.request("thread/resume", { threadId });
  assert.deepEqual(thread.status, { type: "active", activeFlags: ["waitingOnApproval"] });
  await second.answer("call-1", { decision: "accept" });
  assert.equal((await second.ended(turn)).status, "completed");
  assert.ok(existsSync(join(it.cwd, "made")));
});

test("a client without the experimental API gets the question without its experimental parts", async () => {
  await using it = await testServer({ config: { config: { "features.exec_permission_approvals": true } } });
  const more = {
    sandbox_permissions: "with_additional_permissions",
    additional_permissions: { network: { enabled: true } },
  };
  it.model.script(command("touch made", more), reply().text("done"));
  const client = await it.connect({});
  const turn = await client.start(await client.thread(untrusted(it.cwd)));
  const { params } = await client.question("call-1");
  assert.ok(!("additionalPermissions" in params));
  assert.deepEqual(params.availableDecisions, ["accept", "cancel"]);
  await client.answer("call-1", { decision: "decline" });
  await client.ended(turn);
});

test("two questions at once: the thread waits until both are answered", async () => {
  await using it = await testServer();
  const both = reply()
    .functionCall("exec_command", { cmd: "touch one" }, { callId: "call-1" })
    .functionCall("exec_command", { cmd: "touch two" }, { callId: "call-2" });
  it.model.script(both, reply().text("done"));
  const { client } = it;
  const turn = await client.start(await client.thread(untrusted(it.cwd)));
  await client.question("call-2");
  await client.answer("call-1", { decision: "accept" });
  await eventually(() => client.completed("call-1"));
  await client.answer("call-2", { decision: "decline" });
  assert.equal((await client.ended(turn)).status, "completed");
  const statuses = story(client).filter((line) => line.startsWith("active"));
  assert.deepEqual(statuses, ["active []", "active [waitingOnApproval]", "active []"]);
});

test("trusted commands run unasked; what was approved for the session is not asked again, in its own folder", async () => {
  await using it = await testServer();
  await mkdir(join(it.cwd, "sub"));
  it.model.script(
    command("ls | head -3"),
    command("touch made", {}, "call-2"),
    command("touch made", {}, "call-3"),
    command("touch made", { workdir: "sub" }, "call-4"),
    reply().text("done"),
  );
  const { client } = it;
  const turn = await client.start(await client.thread(untrusted(it.cwd)));
  await client.answer("call-2", { decision: "acceptForSession" });
  await client.answer("call-4", { decision: "decline" });
  assert.equal((await client.ended(turn)).status, "completed");
  const asked = client.received.filter(({ method }) => method === "item/commandExecution/requestApproval");
  assert.deepEqual(
    asked.map(({ params }) => params.itemId),
    ["call-2", "call-4"],
  );
});

test("rules are kept in the home, hold for every thread, and are read again when they change", async () => {
  await using it = await testServer();
  const file = join(it.home, "rules", "default.rules");
  const { client } = it;
  it.model.script(command("touch made"), reply().text("done"));
  const first = await client.start(await client.thread(untrusted(it.cwd)));
  const amendment = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch", "made"] } };
  await client.answer("call-1", { decision: amendment });
  await client.ended(first);
  assert.equal(await readFile(file, "utf8"), 'prefix_rule(pattern=["touch", "made"], decision="allow")\n');
  assert.match(it.model.last?.inputText() ?? "", /begin with \["touch","made"\] are allowed/, "the model knows of it");

  const threadId = await client.thread(untrusted(it.cwd));
  it.model.script(command("touch made other", {}, "call-2"), reply().text("done"));
  await client.ended(await client.start(threadId));
  assert.equal(client.completed("call-2").status, "completed");

  await writeFile(file, 'prefix_rule(pattern=["touch"], decision="forbidden", justification="use tee")\n');
  it.model.script(command("touch third && ls", {}, "call-3"), reply().text("done"));
  await client.ended(await client.start(threadId));
  assert.match(it.model.last?.functionOutput("call-3") ?? "", /rejected: use tee/);
  assert.equal(client.completed("call-3"), undefined, "what a rule forbids makes no item");
});
