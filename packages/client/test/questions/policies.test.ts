import assert from "node:assert/strict";
import { test } from "node:test";
import { policies } from "@quire/client";
import { answer, elicitation, legacyCommand, modernCommand, modernPatch, permissions, userInput } from "./ask.ts";

const option = (label: string) => ({ label, description: "" });
const toolApproval = userInput({
  id: "mcp_tool_call_approval_call-717",
  options: ["Approve Once", "Approve this Session", "Deny", "Cancel"].map(option),
});
const freeform = userInput({ id: "freeform-718" });
const sentence = "This is a non-interactive session. Operator input is unavailable.";
const asked = { network: { enabled: true } };

const results = async (policy: keyof typeof policies, ...requests: { method: string; params: unknown }[]) => {
  const replies = await Promise.all(requests.map((request) => answer(request, { ...policies[policy] })));
  for (const { warnings } of replies) assert.deepEqual(warnings, [], "a policy is a decision, not an omission");
  return replies.map(({ result }) => result);
};

test("acceptAll accepts whatever is asked, for the session where it can", async () => {
  assert.deepEqual(await results("acceptAll", modernCommand(), modernPatch(), legacyCommand(), permissions(asked)), [
    { decision: "acceptForSession" },
    { decision: "acceptForSession" },
    { decision: "approved_for_session" },
    { permissions: asked, scope: "session" },
  ]);
  const choice = userInput({ id: "c", options: [option("Postgres (Recommended)"), option("SQLite")] });
  const plain = userInput({ id: "y", options: [option("No"), option("Yes, go on")] });
  assert.deepEqual(await results("acceptAll", toolApproval, choice, plain, freeform), [
    { answers: { "mcp_tool_call_approval_call-717": { answers: ["Approve this Session"] } } },
    { answers: { c: { answers: ["Postgres (Recommended)"] } } },
    { answers: { y: { answers: ["Yes, go on"] } } },
    { answers: { "freeform-718": { answers: [sentence] } } },
  ]);
});

test("acceptAll accepts tools and pages, and forms as far as their defaults reach", async () => {
  const form = (properties: object, required: string[], _meta?: object) =>
    elicitation({ mode: "form", requestedSchema: { type: "object", properties, required }, _meta });
  const accepted = (content: unknown, _meta: unknown = null) => ({ action: "accept", content, _meta });
  const kind = { codex_approval_kind: "mcp_tool_call" };
  assert.deepEqual(
    await results(
      "acceptAll",
      form({}, [], { ...kind, persist: "session" }),
      form({}, [], kind),
      elicitation({ mode: "url", url: "https://x", elicitationId: "e" }),
      form({ n: { type: "number", default: 0 }, s: { type: "string" } }, ["n"]),
      form({ s: { type: "string" } }, ["s"]),
      elicitation({ mode: "openai/userVerification", challenge: "c", description: "d", title: "t" }),
    ),
    [
      accepted({}, { persist: "session" }),
      accepted({}),
      accepted(null),
      accepted({ n: 0 }),
      { action: "decline", content: null, _meta: null },
      { action: "decline", content: null, _meta: null },
    ],
  );
});

test("nonInteractive declines, and tells the model that nobody is there", async () => {
  assert.deepEqual(await results("nonInteractive", modernCommand(), permissions(asked), freeform, toolApproval), [
    { decision: "decline" },
    { permissions: {}, scope: "turn" },
    { answers: { "freeform-718": { answers: [sentence] } } },
    { answers: { "mcp_tool_call_approval_call-717": { answers: [sentence] } } },
  ]);
});

test("declineAll declines and skips", async () => {
  const page = elicitation({ mode: "url", url: "https://x", elicitationId: "e" });
  assert.deepEqual(await results("declineAll", modernPatch(), freeform, page), [
    { decision: "decline" },
    { answers: {} },
    { action: "decline", content: null, _meta: null },
  ]);
});
