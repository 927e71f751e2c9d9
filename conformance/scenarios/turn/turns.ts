import { reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { replyWords } from "../../lib/shared-differences.ts";
import { command, endOfTurn, requestEach, runTurn, startThread, text } from "../../lib/steps.ts";

const answerSchema = {
  type: "object",
  properties: { answer: { type: "string" } },
  required: ["answer"],
  additionalProperties: false,
};

/** Turns that go well. */
export const turns: readonly Scenario[] = [
  {
    name: "turns/endpoint-notices",
    covers:
      "`model/rerouted`, `model/verification`, `turn/moderationMetadata`: what an endpoint says beside its answer",
    differences: [
      {
        at: /^event (adds|lacks): warning|^event warning params\.message$/,
        reason: "That another model answers is said in Quire's own words.",
      },
    ],
    run: async (stage) => {
      const metadata = (wanted: unknown, found?: unknown) => ({
        metadata: { openai_verification_recommendation: wanted, openai_chatgpt_moderation_metadata: found },
      });
      stage.model.script(
        reply().headers({ "openai-model": "another-model" }).text("one"),
        reply()
          .event("response.metadata", metadata(["trusted_access_for_cyber"], { flagged: true }))
          .text("two"),
        reply()
          .event("response.metadata", metadata(["something_else"]))
          .text("three"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer);
      for (const words of ["a", "b", "c"]) await runTurn(peer, thread, words);
    },
  },
  {
    name: "turns/held-back",
    covers: "`model/safetyBuffering/updated`: an answer that an endpoint holds back while it checks it",
    run: async (stage) => {
      const held = { use_cases: ["cyber"], reasons: ["policy-check"] };
      const metadata = { type: "safety_buffering", use_cases: [], reasons: ["by metadata"] };
      const headers = { "x-codex-safety-buffering-faster-model": "fast-model" };
      stage.model.script(
        reply().headers(headers).event("response.metadata", { metadata }).text("by metadata, headers name a model"),
        reply()
          .headers(headers)
          .event("response.in_progress", { safety_buffering: { ...held, retry_model: "other-model" }, metadata })
          .event("response.of_unknown_kind", { safety_buffering: { ...held, retry_model: null } })
          .text("by any event, which wins"),
        reply()
          .event("response.in_progress", { safety_buffering: held })
          .event("response.metadata", { safety_buffering: false, metadata })
          .event("response.metadata", { metadata: { ...metadata, type: "other" } })
          .event("response.in_progress", { metadata })
          .event("response.in_progress", { safety_buffering: { reasons: [] } })
          .event("response.in_progress", { safety_buffering: { ...held, use_cases: [1] } })
          .event("response.in_progress", { safety_buffering: { ...held, retry_model: 1 } })
          .text("once, then badly"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer);
      for (const words of ["a", "b", "c"]) await runTurn(peer, thread, words);
    },
  },
  {
    name: "turns/text",
    covers: "A turn with an answer in pieces, then one with two messages; reading them back",
    run: async (stage) => {
      stage.model.script(reply().text("Hello there", { chunks: 3 }));
      stage.model.script(reply().text("one", { phase: "commentary" }).text("two", { phase: "final_answer" }));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "hi");
      await runTurn(peer, thread, "again");
      await peer.request("thread/read", { threadId: thread.id, includeTurns: true });
      await peer.request("thread/list", {});
    },
  },
  {
    name: "turns/nothing-said",
    covers: "An answer without any message, and an empty message",
    run: async (stage) => {
      stage.model.script(reply(), reply().text(""));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "hi");
      await runTurn(peer, thread, "again");
    },
  },
  {
    name: "turns/reasoning",
    covers: "Reasoning summaries and raw reasoning; encrypted reasoning is carried over to the next request",
    run: async (stage) => {
      stage.model.script(
        reply()
          .reasoning(["**First** part", "Second part"], { encrypted: "ENC" })
          .functionCall("exec_command", { cmd: "true" }, { callId: "call-1" }),
        reply()
          .reasoning([], { encrypted: "ENC2", content: ["raw thoughts"] })
          .text("done"),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "think", { effort: "high", summary: "detailed" });
      await runTurn(peer, thread, "more");
      await peer.request("thread/read", { threadId: thread.id, includeTurns: true });
    },
  },
  {
    name: "turns/output-schema",
    covers: "`outputSchema` on every model request of its turn, and of no other",
    run: async (stage) => {
      stage.model.script(command("true"), reply().text('{"answer":"x"}'));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "go", { outputSchema: answerSchema });
      await runTurn(peer, thread, "go");
    },
  },
  {
    name: "turns/overrides",
    covers: "Overrides of a turn become the thread's settings; the model learns what changed",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "first");
      await runTurn(peer, thread, "second", {
        effort: "low",
        summary: "none",
        personality: "pragmatic",
        model: "model-2",
      });
      const sandboxPolicy = { type: "workspaceWrite", writableRoots: [], networkAccess: true };
      await runTurn(peer, thread, "third", { approvalPolicy: "on-request", sandboxPolicy, cwd: "/tmp" });
      await runTurn(peer, thread, "fourth", { clientUserMessageId: "mine", serviceTier: "flex" });
      await peer.request("thread/read", { threadId: thread.id });
    },
  },
  {
    name: "turns/usage",
    covers: "Tokens and the context window; rate limits from the answer's headers",
    run: async (stage) => {
      const primary = { usedPercent: 25, windowMinutes: 300, resetsAt: 1_800_000_000 };
      const secondary = { usedPercent: 50, windowMinutes: 10_080, resetsAt: 1_800_009_999 };
      stage.model.script(
        reply()
          .text("a")
          .usage({ input: 1000, cachedInput: 400, output: 50, reasoning: 20 })
          .rateLimits({ primary, secondary }),
        reply().text("b").usage({ input: 2000, output: 5 }),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "hi");
      await runTurn(peer, thread, "again");
    },
  },
  {
    name: "turns/hosted-search",
    covers: "A web search that the model's provider runs",
    run: async (stage) => {
      stage.model.script(reply().webSearch("weather").text("sunny"));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "hi");
      await runTurn(peer, thread, "again");
    },
  },
  {
    name: "turns/raw-events",
    covers: "The model's raw items on request",
    run: async (stage) => {
      stage.model.script(command("echo hi"), reply().text("done"));
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer, { experimentalRawEvents: true }), "go");
    },
    differences: [
      {
        at: /^(event|event (lacks|adds):|order of) rawResponse/,
        reason:
          "Raw items are passed on as the model and the history have them, without ids and notes that Codex adds.",
      },
    ],
  },
  {
    name: "turns/stable-only",
    covers: "A turn for a client that did not opt in to the experimental API",
    run: async (stage) => {
      stage.model.script(command("echo hi"), reply().text("done"));
      const peer = await stage.connect({ capabilities: null });
      const thread = await startThread(peer);
      await runTurn(peer, thread, "go");
      await peer.request("thread/resume", { threadId: thread.id });
    },
  },
  {
    name: "turns/broken-items",
    covers: "Items of the model that lack what makes them one, and words for one that is complete",
    run: async (stage) => {
      const done = "response.output_item.done";
      const message = { type: "message", role: "assistant", id: "m2" };
      stage.model.script(
        reply()
          .event(done, { item: { type: "message", role: "assistant", id: "m1" } })
          .event(done, { item: { type: "reasoning", id: "r1" } })
          .event(done, { item: { type: "function_call", name: "exec_command", arguments: '{"cmd":"true"}' } })
          .event(done, { item: { type: "function_call", name: "exec_command", call_id: "c1" } })
          .event("response.output_item.added", { item: { ...message, content: [] } })
          .event(done, { item: { ...message, content: [{ type: "output_text", text: "two" }] } })
          .event("response.output_text.delta", { item_id: "m2", delta: "late" }),
      );
      const peer = await stage.connect();
      const thread = await startThread(peer);
      await runTurn(peer, thread, "hi");
      await runTurn(peer, thread, "again");
    },
  },
  {
    name: "turns/refused",
    covers: "Input that is too long; roots that are relative; loose values that are passed on",
    differences: [replyWords],
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      await requestEach(peer, "turn/start", [
        { threadId, input: [text("x".repeat(1_048_577))] },
        { threadId, input: [text("a")], sandboxPolicy: { type: "workspaceWrite", writableRoots: ["relative"] } },
        { threadId, input: [text("a")], runtimeWorkspaceRoots: ["relative"] },
      ]);
      await peer.request("turn/start", { threadId, input: [text("")], effort: "unheard-of" });
      await endOfTurn(peer);
    },
  },
];
