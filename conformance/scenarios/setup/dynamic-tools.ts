import { reply } from "@quire/testkit";
import type { Peer } from "../../lib/peer.ts";
import type { Scenario } from "../../lib/scenario.ts";
import { toolWords } from "../../lib/shared-differences.ts";
import { beginTurn, endOfTurn, requestEach, runTurn, startThread } from "../../lib/steps.ts";

const inputSchema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
const tool = { type: "function", name: "lookup", description: "Looks up", inputSchema };
const inNamespace = { type: "namespace", name: "tickets", description: "Tickets", tools: [tool] };
const found = { contentItems: [{ type: "inputText", text: "found" }], success: true };

const call = (callId: string, id = "A") => reply().functionCall("lookup", { id }, { callId });

async function withTools(peer: Peer, dynamicTools: readonly object[]) {
  return startThread(peer, { dynamicTools });
}

/** Tools that the client brings along. */
export const dynamicTools: readonly Scenario[] = [
  {
    name: "dynamic-tools/call",
    covers: "A tool of the client's is offered, called and answered; the older shape of its declaration",
    run: async (stage) => {
      stage.model.script(call("call-1"), reply().text("done"));
      const peer = await stage.connect();
      peer.answer("item/tool/call", () => found);
      const thread = await withTools(peer, [tool]);
      await runTurn(peer, thread, "go");
      await peer.request("thread/turns/list", { threadId: thread.id, itemsView: "full" });
      const { type: _, ...older } = tool;
      await withTools(peer, [older]);
    },
  },
  {
    name: "dynamic-tools/answers",
    covers:
      "Answers that are too long for the model, hold many texts or a remote image; a tool with the name of one of the server's",
    run: async (stage) => {
      const long = { type: "inputText", text: "x".repeat(20_000) };
      const answers = [
        [long],
        [{ ...long, text: "short" }, long, long],
        [{ type: "inputImage", imageUrl: "https://example.com/x.png" }],
        [],
      ];
      const patch = { ...tool, name: "apply_patch" };
      stage.model.script(
        ...answers.map((_, n) => call(`call-${n + 1}`)),
        reply().functionCall("apply_patch", { id: "A" }, { callId: "call-patch" }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      peer.answer("item/tool/call", () => ({ contentItems: answers.shift() ?? found.contentItems, success: true }));
      await runTurn(peer, await withTools(peer, [tool, patch]), "go");
    },
  },
  {
    name: "dynamic-tools/namespace",
    covers: "Tools within a namespace; one whose loading is deferred",
    run: async (stage) => {
      stage.model.script(
        reply().functionCall("lookup", { id: "A" }, { callId: "call-1", namespace: "tickets" }),
        call("call-2"),
        reply().text("done"),
      );
      const peer = await stage.connect();
      peer.answer("item/tool/call", () => found);
      await runTurn(peer, await withTools(peer, [inNamespace]), "go");
      const deferred = { ...inNamespace, tools: [{ ...tool, deferLoading: true }] };
      await runTurn(peer, await withTools(peer, [deferred]), "go");
    },
    differences: [
      {
        at: "model tool tool_search",
        reason:
          "Any model can search for tools whose loading is deferred; Codex hides them from models it does not know.",
      },
    ],
  },
  {
    name: "dynamic-tools/search",
    covers: "`tool_search` of a model whose endpoint has it: agents and deferred tools are found, and then called",
    setup: { modelName: "gpt-5.5" },
    run: async (stage) => {
      const search = (query: string, callId: string) =>
        reply().item({
          type: "tool_search_call",
          id: `ts_${callId}`,
          call_id: callId,
          execution: "client",
          status: "completed",
          arguments: { query },
        });
      stage.model.script(
        search("spawn agent", "call-1"),
        search("ticket lookup", "call-2"),
        search("zzz", "call-3"),
        reply().functionCall("lookup", { id: "A" }, { callId: "call-4", namespace: "tickets" }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      peer.answer("item/tool/call", () => found);
      const deferred = { ...inNamespace, tools: [{ ...tool, deferLoading: true }] };
      const thread = await withTools(peer, [deferred]);
      await runTurn(peer, thread, "go");
      await runTurn(peer, thread, "again");
    },
    differences: [
      {
        at: /^model input (lacks|adds): tool_search_output .*(spawn_agent|lookup)/,
        reason: "What is found is described in Quire's own words.",
      },
      {
        at: "model tool apply_patch.format.definition",
        reason: "The grammar of patches is Quire's own; it describes the same language.",
      },
    ],
  },
  {
    name: "dynamic-tools/failures",
    covers: "A tool that fails, refuses, or answers nonsense; arguments that cannot be parsed",
    run: async (stage) => {
      const answers: (() => object | string)[] = [
        () => ({ contentItems: [{ type: "inputText", text: "no such" }], success: false }),
        () => {
          throw new Error("the client says no");
        },
        () => ({ nonsense: 1 }),
        () => ({ contentItems: [], success: true }),
        () => "text",
      ];
      stage.model.script(...answers.map((_, index) => call(`call-${index + 1}`)));
      stage.model.script(reply().functionCall("lookup", "not json", { callId: "call-6" }), reply().text("done"));
      const peer = await stage.connect();
      peer.answer("item/tool/call", () => answers.shift()?.());
      await runTurn(peer, await withTools(peer, [tool]), "go");
    },
    differences: [toolWords],
  },
  {
    name: "dynamic-tools/interrupt",
    covers: "Interrupting a turn whose tool call is not answered yet",
    erratic: ["thread/tokenUsage/updated", "account/rateLimits/updated"],
    run: async (stage) => {
      stage.model.script(call("call-1"), reply().text("ok"));
      const peer = await stage.connect();
      const thread = await withTools(peer, [tool]);
      const turn = await beginTurn(peer, thread, "go");
      await peer.waitForRequest("item/tool/call");
      // Interrupted at once, the real server may not yet know that it has asked.
      await stage.silence();
      await peer.request("turn/interrupt", { threadId: thread.id, turnId: turn.id });
      await endOfTurn(peer);
      await runTurn(peer, thread, "after");
    },
  },
  {
    name: "dynamic-tools/parallel",
    covers: "Two tool calls at once",
    free: ["item/started", "item/completed", "item/tool/call"],
    run: async (stage) => {
      stage.model.script(
        reply()
          .functionCall("lookup", { id: "A" }, { callId: "call-1" })
          .functionCall("lookup", { id: "B" }, { callId: "call-2" }),
        reply().text("done"),
      );
      const peer = await stage.connect();
      peer.answer("item/tool/call", () => found);
      await runTurn(peer, await withTools(peer, [tool]), "go");
    },
  },
  {
    name: "dynamic-tools/refused",
    covers: "Declarations of tools that cannot work",
    run: async (stage) => {
      const peer = await stage.connect();
      const declared = [
        [{ ...tool, name: "bad name!" }],
        [tool, tool],
        [{ ...tool, name: "" }],
        [{ ...tool, name: "x".repeat(200) }],
        [{ ...tool, inputSchema: 5 }],
        [{ type: "function", name: "x" }],
        [{ ...tool, deferLoading: true }],
        [{ ...inNamespace, tools: [] }],
        [{ ...inNamespace, name: "mcp__x" }],
      ];
      await requestEach(
        peer,
        "thread/start",
        declared.map((dynamicTools) => ({ dynamicTools })),
      );
    },
  },
  {
    name: "dynamic-tools/resumed",
    covers: "A resumed thread keeps its tools",
    run: async (stage) => {
      const first = await stage.connect();
      const thread = await withTools(first, [tool]);
      await runTurn(first, thread, "go");
      await first.close();
      stage.model.script(call("call-1"), reply().text("done"));
      const second = await stage.connect();
      second.answer("item/tool/call", () => found);
      await second.request("thread/resume", { threadId: thread.id, excludeTurns: true });
      await runTurn(second, thread, "again");
    },
  },
];
