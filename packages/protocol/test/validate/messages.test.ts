import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Validation, validateParams, validateResult, validateType } from "@quire/protocol/validate";

const messages = (validation: Validation): string[] =>
  validation.ok ? [] : validation.issues.map((issue) => issue.message);

const item = { type: "commandExecution", id: "1", command: "ls", commandActions: [], cwd: "/", status: "completed" };

describe("validateParams", () => {
  it("accepts what fits, and fields of tomorrow", () => {
    assert.deepEqual(validateParams("thread/start", { sandbox: "read-only", fieldOfTomorrow: 1 }), { ok: true });
    assert.deepEqual(validateParams("thread/start", { sandbox: null, cwd: undefined }), { ok: true });
    assert.deepEqual(validateParams("turn/settings/update", { threadId: "t", turnId: "u", fieldOfTomorrow: 1 }), {
      ok: true,
    });
  });

  it("says the path, what is expected there, and what is there", () => {
    const validation = validateParams("thread/start", { sandbox: "foo" });
    assert.deepEqual(validation, {
      ok: false,
      issues: [
        {
          path: "params.sandbox",
          expected: '"read-only" | "workspace-write" | "danger-full-access"',
          received: '"foo"',
          message:
            'thread/start params.sandbox: expected "read-only" | "workspace-write" | "danger-full-access", got "foo"',
        },
      ],
    });
  });

  it("names what is missing and what has the wrong type, all at once", () => {
    assert.deepEqual(messages(validateParams("turn/start", { threadId: 5 })), [
      "turn/start params.input: expected array, got undefined",
      "turn/start params.threadId: expected string, got 5",
    ]);
  });

  it("reports the form of a union that was meant, not all of them", () => {
    const input = [{ type: "text", text: "a" }, { type: "text" }, { type: "video" }, "hello"];
    assert.deepEqual(messages(validateParams("turn/start", { threadId: "t", input })), [
      "turn/start params.input[1].text: expected string, got undefined",
      'turn/start params.input[2].type: expected "text" | "image" | "localImage" | "audio" | "localAudio" | "skill" | "mention", got "video"',
      'turn/start params.input[3]: expected object, got "hello"',
    ]);
    assert.deepEqual(messages(validateParams("turn/start", { threadId: "t", input: [{ type: "audio" }] })), [
      "turn/start params.input[0]: expected { url } | { fileId }, got object",
    ]);
  });

  it("speaks of unions of words and objects", () => {
    assert.deepEqual(messages(validateParams("thread/start", { approvalPolicy: "always" })), [
      'thread/start params.approvalPolicy: expected "untrusted" | "on-request" | "never" | { granular }, got "always"',
    ]);
    assert.deepEqual(messages(validateParams("thread/start", { approvalPolicy: { granular: { rules: true } } })), [
      "thread/start params.approvalPolicy.granular.mcp_elicitations: expected boolean, got undefined",
      "thread/start params.approvalPolicy.granular.sandbox_approval: expected boolean, got undefined",
    ]);
  });

  it("rejects a further key only where a union is told by its keys", () => {
    const granular = { mcp_elicitations: true, rules: true, sandbox_approval: true };
    assert.deepEqual(messages(validateParams("thread/start", { approvalPolicy: { granular, more: 1 } })), [
      "thread/start params.approvalPolicy.more: expected no such property, got 1",
    ]);
  });

  it("requires params, unless the method allows to omit them", () => {
    assert.deepEqual(messages(validateParams("thread/start", undefined)), [
      "thread/start params: expected object, got undefined",
    ]);
    for (const params of [undefined, null, {}]) {
      assert.deepEqual(validateParams("account/rateLimits/read", params), { ok: true });
      assert.deepEqual(validateParams("account/logout", params), { ok: true });
      assert.deepEqual(validateParams("initialized", params), { ok: true });
    }
  });

  it("serves notifications and the server's requests too", () => {
    assert.ok(validateParams("item/started", { item, threadId: "t", turnId: "u", startedAtMs: 1 }).ok);
    assert.deepEqual(messages(validateParams("item/agentMessage/delta", { threadId: "t", turnId: "u", itemId: "i" })), [
      "item/agentMessage/delta params.delta: expected string, got undefined",
    ]);
    assert.equal(validateParams("currentTime/read", {}).ok, false);
  });

  it("does not throw at an unknown method", () => {
    assert.deepEqual(messages(validateParams("no/such", {})), [
      'no/such method: expected a known method, got "no/such"',
    ]);
  });

  it("quotes odd keys, shortens long values and stops after 20 issues", () => {
    const env = Object.fromEntries(["a b", "c"].map((key) => [key, 5]));
    assert.deepEqual(messages(validateParams("command/exec", { command: ["ls"], env })), [
      'command/exec params.env["a b"]: expected string, got 5',
      "command/exec params.env.c: expected string, got 5",
    ]);
    const [long] = messages(validateParams("thread/start", { sandbox: "x".repeat(1000) }));
    assert.ok(long !== undefined && long.length < 250);
    const many = validateParams("command/exec", { command: Array.from({ length: 1000 }, () => 1) });
    assert.equal(messages(many).length, 20);
  });
});

describe("validateResult", () => {
  it("checks results of both sides", () => {
    assert.ok(validateResult("item/fileChange/requestApproval", { decision: "accept" }).ok);
    assert.deepEqual(messages(validateResult("item/fileChange/requestApproval", { decision: "yes" })), [
      'item/fileChange/requestApproval result.decision: expected "accept" | "acceptForSession" | "decline" | "cancel", got "yes"',
    ]);
    assert.deepEqual(messages(validateResult("turn/completed", {})), [
      "turn/completed method: expected a request, got a notification",
    ]);
  });
});

describe("validateType", () => {
  it("checks a value by the name of its type", () => {
    assert.ok(validateType("ThreadItem", item).ok);
    assert.deepEqual(messages(validateType("ThreadItem", { ...item, exitCode: 1.5 })), [
      "ThreadItem.exitCode: expected integer from -2147483648 to 2147483647, got 1.5",
    ]);
    assert.deepEqual(messages(validateType("ReasoningEffort", "")), [
      'ReasoningEffort: expected non-empty string, got ""',
    ]);
    assert.throws(() => validateType("NoSuchType", 1), /no definition is called NoSuchType/);
    assert.throws(() => validateType("toString", 1), /no definition is called toString/);
  });
});
