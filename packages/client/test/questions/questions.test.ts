import assert from "node:assert/strict";
import { test } from "node:test";
import { type ElicitationRequest, type QuestionHandlers, RpcError, tool } from "@quire/client";
import { answer, elicitation, userInput } from "./ask.ts";

test("answers to the model's questions travel by question, one or several each", async () => {
  const request = userInput({ id: "colour" }, { id: "sizes" });
  const expected = { answers: { colour: { answers: ["red"] }, sizes: { answers: ["S", "M"] } } };
  const answers = { colour: "red", sizes: ["S", "M"] };
  assert.deepEqual((await answer(request, { onUserInput: () => answers })).result, expected);
  const byMethod = await answer(request, {
    onUserInput: (asked) => {
      assert.deepEqual(
        asked.questions.map(({ id }) => id),
        ["colour", "sizes"],
      );
      return asked.answer(answers);
    },
  });
  assert.deepEqual(byMethod, { result: expected, warnings: [] });
});

test("questions that nobody answers are skipped, with a warning", async () => {
  const failing = () => {
    throw new Error("no terminal");
  };
  for (const onUserInput of [undefined, () => undefined, failing] as (QuestionHandlers["onUserInput"] | undefined)[]) {
    const { result, warnings } = await answer(userInput({ id: "a" }), { onUserInput });
    assert.deepEqual(result, { answers: {} });
    assert.match(warnings[0]?.message ?? "", /onUserInput/);
  }
});

const form = elicitation({
  mode: "form",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
});

test("a form is accepted with its content, declined or cancelled", async () => {
  const reply = async (onElicitation: QuestionHandlers["onElicitation"]) =>
    (await answer(form, { onElicitation })).result;
  const filled = await reply((request) => {
    assert.equal(request.mode, "form");
    assert.deepEqual(request.form?.required, ["name"]);
    assert.equal(request.serverName, "files");
    assert.equal(request.turnId, undefined);
    assert.equal(request.approvalKind, undefined);
    return request.accept({ name: "Ann" });
  });
  assert.deepEqual(filled, { action: "accept", content: { name: "Ann" }, _meta: null });
  for (const action of ["decline", "cancel"] as const) {
    assert.deepEqual(await reply((request) => request[action]()), { action, content: null, _meta: null });
    assert.deepEqual(await reply(() => action), { action, content: null, _meta: null });
  }
});

test("a page to open and a tool to approve are told apart and answered", async () => {
  const seen: ElicitationRequest[] = [];
  const onElicitation = (request: ElicitationRequest) => {
    seen.push(request);
    return request.accept(undefined, request.approvalKind === undefined ? {} : { persist: "session" });
  };
  const page = elicitation({ mode: "url", url: "https://example.com", elicitationId: "e" });
  assert.deepEqual((await answer(page, { onElicitation })).result, { action: "accept", content: null, _meta: null });
  const approval = elicitation({
    mode: "form",
    requestedSchema: { type: "object", properties: {} },
    _meta: { codex_approval_kind: "mcp_tool_call", persist: ["session", "always"] },
  });
  assert.deepEqual((await answer(approval, { onElicitation })).result, {
    action: "accept",
    content: {},
    _meta: { persist: "session" },
  });
  assert.equal(seen[0]?.url, "https://example.com");
  assert.equal(seen[1]?.approvalKind, "mcp_tool_call");
});

test("an elicitation that nobody answers is declined, with a warning", async () => {
  const { result, warnings } = await answer(form, {});
  assert.deepEqual(result, { action: "decline", content: null, _meta: null });
  assert.match(warnings[0]?.message ?? "", /set onElicitation/);
});

test("fresh tokens come from who manages them; without one the server gets an error, not a lie", async () => {
  const request = {
    method: "account/chatgptAuthTokens/refresh",
    params: { reason: "unauthorized", previousAccountId: "a" },
  };
  const tokens = { accessToken: "t", chatgptAccountId: "a" };
  const { result } = await answer(request, {
    onAuthRefresh: async ({ reason, previousAccountId }) => {
      assert.deepEqual([reason, previousAccountId], ["unauthorized", "a"]);
      return tokens;
    },
  });
  assert.deepEqual(result, tokens);
  await assert.rejects(answer(request, {}), (error) => {
    assert.ok(RpcError.is(error));
    assert.match(error.message, /no onAuthRefresh/);
    return true;
  });
  const failing = answer(request, { onAuthRefresh: () => Promise.reject(new Error("signed out")) });
  await assert.rejects(failing, /signed out/);
});

test("an attestation is given by who can", async () => {
  const request = { method: "attestation/generate", params: {} };
  assert.deepEqual((await answer(request, { onAttestation: () => "proof" })).result, { token: "proof" });
  await assert.rejects(answer(request, {}), /no onAttestation/);
});

test("the time is told in whole seconds", async () => {
  const { result } = await answer({ method: "currentTime/read", params: { threadId: "t" } }, {});
  const { currentTimeAt } = result as { currentTimeAt: number };
  assert.ok(Number.isInteger(currentTimeAt) && Math.abs(currentTimeAt - Date.now() / 1000) < 5);
});

test("a tool call goes to the tools of its thread", async () => {
  const echo = tool({ name: "echo", description: "", input: { type: "object" }, run: (input) => input });
  const params = { threadId: "t", turnId: "u", callId: "c", tool: "echo", arguments: { a: 1 } };
  const { result } = await answer({ method: "item/tool/call", params }, {}, { tools: [echo] });
  assert.deepEqual(result, { success: true, contentItems: [{ type: "inputText", text: '{"a":1}' }] });
});

test("a method that is not known gets the error that says so", async () => {
  for (const method of ["item/future/ask", "toString", "__proto__"]) {
    await assert.rejects(answer({ method, params: {} }, {}), (error) => RpcError.is(error) && error.code === -32601);
  }
});
