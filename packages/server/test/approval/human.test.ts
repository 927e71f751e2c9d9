/** An administrator's rules about commands, and questions that only a person may answer. */
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { reply, tempDir } from "@quire/testkit";
import { testServer } from "../support/test-server.ts";
import { command } from "./support.ts";

const person = { requiredHumanApproval: true };
const rule = (decision: string, more = "") =>
  `[rules]\nprefix_rules = [{ pattern = [{ token = "touch" }], decision = "${decision}", justification = "ask Ann"${more} }]\n`;

/** A server whose administrator has this file. */
async function ruled(requirements: string, capabilities: object = person) {
  const folder = await tempDir("quire-human-");
  const requirementsFile = join(folder.path, "requirements.toml");
  writeFileSync(requirementsFile, requirements);
  const it = await testServer({ requirementsFile, capabilities });
  const { client, model, cwd } = it;
  return {
    client,
    model,
    cwd,
    connect: it.connect,
    asked: () => client.received.some(({ id, params }) => id !== undefined && params?.itemId === "call-1"),
    made: () => existsSync(join(cwd, "made")),
    output: () => model.requests.at(-1)?.functionOutput("call-1") ?? "",
    /** Begins a turn with one command. */
    async begin(settings: object = {}, line = "touch made", callId = "call-1") {
      model.script(command(line, {}, callId), reply().text("done"));
      return await client.start(
        await client.thread({ cwd, approvalPolicy: "on-request", sandbox: "danger-full-access", ...settings }),
      );
    },
    async [Symbol.asyncDispose]() {
      await it[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("a person is asked about what an administrator's rule names, each time, and can only say yes or no", async () => {
  await using it = await ruled(rule("prompt-user"));
  for (const round of [1, 2]) {
    const callId = `call-${round}`;
    const turn = await it.begin({ approvalsReviewer: round === 1 ? "user" : "auto_review" }, "touch made", callId);
    const { params } = await it.client.question(callId);
    assert.deepEqual([params.kind, params.availableDecisions], ["humanCommand", ["accept", "decline", "cancel"]]);
    assert.match(params.reason, /touch made.* requires human approval: ask Ann$/);
    await it.client.answer(callId, { decision: "accept" });
    assert.equal((await it.client.ended(turn)).status, "completed");
    assert.ok(it.made());
  }
});

test("an answer that would last is none", async () => {
  for (const decision of ["acceptForSession", { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch"] } }]) {
    await using it = await ruled(rule("prompt-user"));
    const turn = await it.begin();
    await it.client.answer("call-1", { decision });
    await it.client.ended(turn);
    assert.match(it.output(), /requires a one-time human approval/);
    assert.ok(!it.made());
  }
});

test("clients without a person are not asked, and cannot answer for one", async () => {
  await using it = await ruled(rule("prompt-user"), {});
  await it.client.ended(await it.begin());
  assert.match(it.output(), /approval request failed/);
  assert.ok(!it.asked());
  assert.ok(!it.made());

  await using two = await ruled(rule("prompt-user"), {});
  const other = await two.connect(person);
  two.model.script(reply().text("hello"), command("touch made"), reply().text("done"));
  const threadId = await two.client.thread({
    cwd: two.cwd,
    approvalPolicy: "on-request",
    sandbox: "danger-full-access",
  });
  await two.client.turn(threadId);
  await other.request("thread/resume", { threadId });
  const turn = await two.client.start(threadId);
  await other.answer("call-1", { decision: "accept" });
  await two.client.ended(turn);
  assert.ok(!two.asked());
  assert.ok(two.made());
});

test("where nobody may be asked, or only the reviewer decides, the command does not run", async () => {
  for (const [requirements, settings, why] of [
    [rule("prompt-user"), { approvalPolicy: "never" }, /AskForApproval is set to Never/],
    [
      `allowed_approvals_reviewers = ["auto_review"]\n${rule("prompt-user")}`,
      {},
      /requires human approval, but this session requires automatic review/,
    ],
    [rule("forbidden"), {}, /rejected: ask Ann/],
  ] as const) {
    await using it = await ruled(requirements);
    await it.client.ended(await it.begin(settings));
    assert.match(it.output(), why);
    assert.ok(!it.made());
  }
});

test("a rule finds its program by its path, behind others, and with canonical matching in any case", async () => {
  for (const [line, requirements] of [
    ["/usr/bin/touch made", rule("prompt-user")],
    ["env A=1 touch made", rule("prompt-user")],
    ["Touch made", rule("prompt-user", ", canonical_matching = true")],
  ] as const) {
    await using it = await ruled(requirements);
    const turn = await it.begin({}, line);
    const { params } = await it.client.question("call-1");
    assert.equal(params.kind, "humanCommand");
    await it.client.answer("call-1", { decision: "decline" });
    await it.client.ended(turn);
    assert.match(it.output(), /rejected by user/);
  }
});

test("a rule that cannot be read opens no thread: it may be one that forbids", async () => {
  for (const requirements of [
    rule("allow"),
    "[rules]\nprefix_rules = []\n",
    rule("prompt").replace("token", "any_of"),
  ]) {
    await using it = await ruled(requirements).catch((error: Error) => ({
      begin: () => Promise.reject(error),
      [Symbol.asyncDispose]: async () => undefined,
    }));
    await assert.rejects(it.begin(), /requirements\.toml: rules\.prefix_rules/);
  }
});
