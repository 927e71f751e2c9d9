/** Attacks: orchestrator. */
import { policies, type QuestionHandlers } from "@quire/client";
import { attack } from "@quire/testkit/attack";
import { questionPolicy } from "../../src/session/question-policy.ts";
import { serveStatus } from "../../src/status/status-server.ts";
import { FakeControl } from "../support/fake-control.ts";

const ours = (): QuestionHandlers =>
  questionPolicy({ autoApprove: ["mcp_tools"], observer: { event: () => {} } as never, needPerson: () => {} });

/** Asks a question as a model would; says whether an option that agrees was chosen. */
async function agrees(guarded: boolean, id: string, labels: readonly string[]): Promise<boolean> {
  const questions = [{ id, question: "Delete the production database?", options: labels.map((label) => ({ label })) }];
  const request = {
    method: "item/tool/requestUserInput",
    itemId: "call-9",
    questions,
    answer: (given: object) => given,
  };
  const { onUserInput } = guarded ? ours() : policies.acceptAll;
  const given = (await onUserInput?.(request as never)) as unknown as Record<string, string>;
  return labels.includes(given[id] ?? "");
}

attack("gets a deletion allowed by a question of the model", (guarded) => agrees(guarded, "q1", ["Allow", "Deny"]));
attack("gets a deletion approved for the whole session", (guarded) =>
  agrees(guarded, "q1", ["Approve this Session", "Deny"]),
);
attack("names a question like the approval of another item", (guarded) =>
  agrees(guarded, "mcp_tool_call_approval_call-1", ["Allow", "Deny"]),
);

/** Sends a request to a status API; the control knows the token. */
async function reaches(guarded: boolean, path: string, init: RequestInit = {}): Promise<boolean> {
  await using server = serveStatus(new FakeControl(), { port: 0 });
  const known = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  return (await fetch(new URL(path, server.url), guarded ? init : { ...init, headers: known })).ok;
}

attack("reads issues from the status API as another local user", (guarded) => reaches(guarded, "/api/v1/state"));
attack("reads the dashboard's tables without the token", (guarded) => reaches(guarded, "/dashboard"));
attack("pauses the orchestrator without the token", (guarded) => reaches(guarded, "/api/v1/pause", { method: "POST" }));
