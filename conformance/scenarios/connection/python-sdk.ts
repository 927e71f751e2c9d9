import type { Thread, Turn } from "@quire/protocol";
import { gate, reply } from "@quire/testkit";
import type { Peer } from "../../lib/peer.ts";
import type { Scenario } from "../../lib/scenario.ts";
import { keptAnswer } from "../../lib/shared-differences.ts";
import { answerBegins, endOfTurn } from "../../lib/steps.ts";

/** Begins as the SDK does where its user says nothing of approvals. */
async function start(peer: Peer): Promise<Thread> {
  const { thread } = await peer.result("thread/start", {
    approvalPolicy: "on-request",
    approvalsReviewer: "auto_review",
  });
  await peer.waitFor("thread/started", (started) => started.thread.id === thread.id);
  return thread;
}

/** The SDK's input has no fields but these. */
async function turn(peer: Peer, { id: threadId }: Pick<Thread, "id">, text: string, more: object = {}): Promise<Turn> {
  const begun = await peer.result("turn/start", { threadId, input: [{ type: "text", text }], ...more });
  return begun.turn;
}

async function run(peer: Peer, thread: Pick<Thread, "id">, text: string, more: object = {}): Promise<void> {
  await endOfTurn(peer, (await turn(peer, thread, text, more)).id);
}

/** Requests of the official Python SDK for its public functions, in its order. */
export const pythonSdk: readonly Scenario[] = [
  {
    name: "python-sdk/threads",
    covers: "The Python SDK's threads: start, run, name, read, archive, list, unarchive, resume, fork, models",
    run: async (stage) => {
      stage.model.script(reply().text("one"), reply().text("two"), reply().text("three"));
      const peer = await stage.connect();
      await peer.request("model/list", { includeHidden: true });
      const thread = await start(peer);
      await run(peer, thread, "materialize this thread");
      await peer.request("thread/name/set", { threadId: thread.id, name: "sdk integration thread" });
      await peer.waitFor("thread/name/updated");
      await peer.request("thread/read", { threadId: thread.id, includeTurns: true });
      await peer.request("thread/list", { archived: false });
      await peer.request("thread/resume", { threadId: thread.id });
      await run(peer, thread, "go on");
      const { thread: fork } = await peer.result("thread/fork", { threadId: thread.id });
      await peer.waitFor("thread/started", (started) => started.thread.id === fork.id);
      await run(peer, fork, "and on the fork");
      await peer.request("thread/archive", { threadId: fork.id });
      await peer.waitFor("thread/archived");
      await peer.request("thread/list", { archived: true });
      await peer.request("thread/unarchive", { threadId: fork.id });
    },
    differences: [
      {
        at: "reply model/list result.data",
        reason: "Models are those of the configuration, not of the vendor's catalogue.",
      },
      { at: "reply thread/list result.data.forkedFromId", reason: "A list, too, says what a thread was forked from." },
    ],
  },
  {
    name: "python-sdk/run",
    covers: "The Python SDK's runs: output schema, model and effort, two threads at once, a turn that fails",
    run: async (stage) => {
      const schema = {
        type: "object",
        properties: { answer: { type: "string" } },
        required: ["answer"],
        additionalProperties: false,
      };
      stage.model.script(reply().text('{"answer":"a"}'), reply().text("b"), reply().failed("server_error", "boom"));
      const peer = await stage.connect();
      const thread = await start(peer);
      await run(peer, thread, "structured", { outputSchema: schema });
      await run(peer, thread, "other", { model: "mock-model-override", effort: "high", summary: "concise" });
      await run(peer, thread, "fails");
      await peer.request("thread/read", { threadId: thread.id, includeTurns: true });
    },
  },
  {
    name: "python-sdk/stream",
    covers: "The Python SDK's streams, from an endpoint whose pieces do not say which item they belong to",
    run: async (stage) => {
      const message = (text: string, id: string) => ({
        item: { type: "message", role: "assistant", id, content: [{ type: "output_text", text }] },
      });
      const streamed = (id: string, parts: readonly string[]) => {
        const begun = reply().event("response.output_item.added", message("", id));
        for (const delta of parts) begun.event("response.output_text.delta", { delta });
        return begun.event("response.output_item.done", message(parts.join(""), id));
      };
      stage.model.script(streamed("msg-1", ["he", "llo"]), streamed("msg-2", ["wor", "ld"]));
      const peer = await stage.connect();
      const thread = await start(peer);
      await run(peer, thread, "stream please");
      await run(peer, thread, "again");
    },
  },
  {
    name: "python-sdk/controls",
    covers: "The Python SDK's turn handles: stream, steer, interrupt, and a run afterwards",
    run: async (stage) => {
      stage.model.script(
        reply().text(["before ", gate(), "steer"]),
        reply().text("after steer"),
        reply().text(["still ", gate(), "running"]),
        reply().text("after the interrupt"),
      );
      const peer = await stage.connect();
      const thread = await start(peer);
      const threadId = thread.id;
      const steered = await turn(peer, thread, "Start a steerable turn.");
      await answerBegins(peer, "before ");
      const input = [{ type: "text", text: "Use this steering input." }];
      await peer.request("turn/steer", { threadId, expectedTurnId: steered.id, input });
      await endOfTurn(peer, steered.id);
      const stopped = await turn(peer, thread, "Start a long turn.");
      await answerBegins(peer, "still ");
      await peer.request("turn/interrupt", { threadId, turnId: stopped.id });
      await endOfTurn(peer, stopped.id);
      await run(peer, thread, "Continue after the interrupt.");
    },
    differences: [keptAnswer],
  },
  {
    name: "python-sdk/login",
    covers: "The Python SDK's accounts: an API key, tokens of another program, the account, logging out",
    run: async (stage) => {
      const peer = await stage.connect();
      await peer.request("account/read", { refreshToken: false });
      await peer.request("account/login/start", { apiKey: "sk-sdk-login-test", type: "apiKey" });
      await peer.waitFor("account/updated");
      await peer.request("account/read", { refreshToken: false });
      await peer.request("account/logout");
      await peer.waitFor("account/updated", ({ authMode }) => authMode === null);
      await peer.request("account/read", { refreshToken: false });
    },
  },
  {
    name: "python-sdk/goals",
    covers: "The Python SDK's goals: the old one cleared, a new one set, worked on until it is complete",
    run: async (stage) => {
      stage.model.script(
        // Whether Codex counts the tokens of this response before or after the goal is closed is a matter of chance.
        reply()
          .functionCall("update_goal", { status: "complete" }, { callId: "call-1" })
          .usage({ input: 0, output: 0 }),
        reply().text("Goal reached"),
      );
      const peer = await stage.connect();
      const thread = await start(peer);
      const threadId = thread.id;
      await peer.request("thread/read", { threadId, includeTurns: false });
      await peer.request("thread/goal/clear", { threadId });
      await peer.request("thread/goal/set", { threadId, objective: "Improve benchmark coverage", status: "active" });
      await endOfTurn(peer);
    },
    free: ["thread/goal/updated"],
  },
];
