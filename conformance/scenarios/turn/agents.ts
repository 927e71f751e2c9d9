import { type Reply, reply } from "@quire/testkit";
import type { Peer } from "../../lib/peer.ts";
import type { Scenario } from "../../lib/scenario.ts";
import type { Stage } from "../../lib/stage.ts";
import { beginTurn, runTurn, startThread } from "../../lib/steps.ts";

const open = { approvalPolicy: "never", sandbox: "danger-full-access" };

/** A call of one of the tools for agents. */
function call(name: string, args: object, callId: string): Reply {
  return reply().functionCall(name, args, { callId, namespace: "multi_agent_v1" });
}

/** The id of the agent that was spawned last, as its parent's model is told. */
function spawned(stage: Stage): string {
  for (const request of stage.model.requests.toReversed()) {
    for (const { type, output } of request.body.input.toReversed()) {
      const [, id] = /"agent_id":"([^"]+)"/.exec(type === "function_call_output" ? String(output) : "") ?? [];
      if (id !== undefined) return id;
    }
  }
  throw new Error("no agent was spawned");
}

/** Events of parent and child come in any order among each other. */
const free = [
  "item/started",
  "item/completed",
  "item/agentMessage/delta",
  "thread/status/changed",
  "thread/tokenUsage/updated",
  "turn/started",
  "turn/completed",
  "account/rateLimits/updated",
  "thread/started",
  "thread/readState/changed",
];

const nicknames = {
  at: /agentNickname|agent_nickname|^model input (lacks|adds): function_call_output .*nickname/,
  reason: "Agents have other nicknames.",
};

async function started(stage: Stage): Promise<{ readonly peer: Peer; readonly thread: { readonly id: string } }> {
  const peer = await stage.connect();
  return { peer, thread: await startThread(peer, open) };
}

/** Agents that a model starts. */
export const agents: readonly Scenario[] = [
  {
    name: "agents/life",
    covers: "An agent is spawned, waited for, given more, closed and resumed: items, states, what both models are told",
    free,
    run: async (stage) => {
      const at = () => spawned(stage);
      stage.model.when("task one").reply(reply().text("first answer"));
      stage.model.when("task two").reply(reply().text("second answer"));
      stage.model.script(
        call("spawn_agent", { message: "task one" }, "call-1"),
        () => call("wait_agent", { targets: [at()], timeout_ms: 10_000 }, "call-2"),
        () => call("send_input", { target: at(), message: "task two" }, "call-3"),
        () => call("wait_agent", { targets: [at()], timeout_ms: 10_000 }, "call-4"),
        () => call("close_agent", { target: at() }, "call-5"),
        () => call("resume_agent", { id: at() }, "call-6"),
        () => call("close_agent", { target: at() }, "call-7"),
        reply().text("all done"),
      );
      const { peer, thread } = await started(stage);
      await runTurn(peer, thread as never, "go");
    },
    differences: [
      nicknames,
      {
        at: /agentsStates\.thread-2\.(status|message)$|^model input (lacks|adds): function_call_output .*previous_status/,
        reason: "An agent that was resumed is known by its last turn; Codex takes it for one that never began.",
      },
    ],
  },
  {
    name: "agents/refused",
    covers: "What cannot be asked of agents: no message, two kinds of message, unknown ids, too deep",
    free,
    run: async (stage) => {
      const nobody = "01990000-0000-7000-8000-000000000000";
      stage.model.when("child").reply(call("spawn_agent", { message: "grandchild" }, "deep-1"), reply().text("alone"));
      stage.model.script(
        call("spawn_agent", {}, "call-1"),
        call("spawn_agent", { message: "a", items: [{ type: "text", text: "b" }] }, "call-2"),
        call("wait_agent", { targets: [] }, "call-3"),
        call("wait_agent", { targets: ["x"] }, "call-4"),
        call("wait_agent", { targets: [nobody] }, "call-5"),
        call("send_input", { target: nobody, message: "hi" }, "call-6"),
        call("close_agent", { target: nobody }, "call-7"),
        call("resume_agent", { id: nobody }, "call-8"),
        call("spawn_agent", { message: "child" }, "call-9"),
        () => call("wait_agent", { targets: [spawned(stage)], timeout_ms: 10_000 }, "call-10"),
        reply().text("done"),
      );
      const { peer, thread } = await started(stage);
      await runTurn(peer, thread as never, "go");
    },
    differences: [
      nicknames,
      {
        at: /^model input (lacks|adds): function_call_output .*invalid agent id/,
        reason: "Why an id is none is said in Quire's own words.",
      },
    ],
  },
  {
    name: "agents/listed",
    covers: "An agent's thread is listed by its parent and ancestor, and read with its own history",
    free,
    run: async (stage) => {
      stage.model.when("task one").reply(reply().text("first answer"));
      stage.model.script(
        call("spawn_agent", { message: "task one" }, "call-1"),
        () => call("wait_agent", { targets: [spawned(stage)], timeout_ms: 10_000 }, "call-2"),
        reply().text("done"),
      );
      const { peer, thread } = await started(stage);
      await runTurn(peer, thread as never, "go");
      await stage.silence(300);
      await peer.request("thread/list", { parentThreadId: thread.id });
      await peer.request("thread/list", { ancestorThreadId: thread.id });
      await peer.request("thread/list", {});
      await peer.request("thread/loaded/list", {});
      await peer.request("thread/read", { threadId: spawned(stage), includeTurns: true });
    },
    differences: [
      nicknames,
      {
        at: /^reply thread\/list result\.data\.(sessionId|canAcceptDirectInput)$|^reply thread\/read result\.thread\.threadSource$/,
        reason:
          "An agent is listed with the session that it is read with, and told by its `source`; Codex lists another.",
      },
      {
        at: /^reply thread\/(list result\.readStates|read result\.readState)/,
        reason: "An agent's thread has a read state as every other; nothing in it is ever unread.",
      },
    ],
  },
  {
    name: "agents/interrupted",
    covers: "Interrupting the parent's turn while it waits for an agent that works",
    free,
    run: async (stage) => {
      stage.model.when("task one").reply(reply().text(["working", new Promise(() => undefined)]));
      stage.model.script(call("spawn_agent", { message: "task one" }, "call-1"), () =>
        call("wait_agent", { targets: [spawned(stage)], timeout_ms: 30_000 }, "call-2"),
      );
      const { peer, thread } = await started(stage);
      const turn = await beginTurn(peer, thread as never, "go");
      await peer.waitFor("item/agentMessage/delta", ({ delta }) => delta === "working");
      await peer.waitFor("item/started", ({ item }) => item.id === "call-2");
      await peer.request("turn/interrupt", { threadId: thread.id, turnId: turn.id });
      await peer.waitFor("turn/completed", (done) => done.turn.id === turn.id);
      await stage.silence(1000);
      await peer.request("thread/loaded/list", {});
    },
    differences: [
      nicknames,
      {
        at: "event adds: item/completed collabAgentToolCall call-2",
        reason:
          "The call that was interrupted is completed as such; Codex leaves it open. The agent works on, on both.",
      },
    ],
  },
  {
    name: "agents/strangers",
    covers:
      "A model names a thread of another conversation as its agent: to wait for, to instruct, to close, to resume",
    free,
    run: async (stage) => {
      const { peer, thread: other } = await started(stage);
      stage.model.script(reply().text("a private answer"));
      await runTurn(peer, other as never, "a private question");
      const thread = await startThread(peer, { approvalPolicy: "never", sandbox: "read-only" });
      stage.model.when("do this").reply(reply().text("it does"));
      stage.model.script(
        call("wait_agent", { targets: [other.id] }, "call-1"),
        call("send_input", { target: other.id, message: "do this" }, "call-2"),
        call("wait_agent", { targets: [other.id] }, "call-3"),
        call("close_agent", { target: other.id }, "call-4"),
        call("resume_agent", { id: other.id }, "call-5"),
        reply().text("done"),
      );
      await runTurn(peer, thread as never, "go");
      await stage.silence(300);
      await peer.request("thread/loaded/list", {});
    },
    differences: [
      {
        at: /^event (lacks: .* thread-1|item\/completed collabAgentToolCall params)|^event lacks: account\/rateLimits|^event thread\/readState\/changed|^model (input|request|tool)/,
        reason:
          "A model reaches the agents that its thread started, and no other thread; Codex lets it read, instruct and close all that are loaded or stored.",
      },
    ],
  },
  {
    name: "agents/narrowed",
    covers: "An agent gets more work after its parent's thread may do less than when it was started",
    free,
    run: async (stage) => {
      const at = () => spawned(stage);
      const write = (callId: string) =>
        reply().functionCall("exec_command", { cmd: "touch made && echo made" }, { callId });
      stage.model.when("task one").reply(reply().text("first answer"));
      stage.model.when("task two").reply(write("write-1"), reply().text("second answer"));
      stage.model.script(
        call("spawn_agent", { message: "task one" }, "call-1"),
        () => call("wait_agent", { targets: [at()], timeout_ms: 10_000 }, "call-2"),
        reply().text("done"),
        () => call("send_input", { target: at(), message: "task two" }, "call-3"),
        () => call("wait_agent", { targets: [at()], timeout_ms: 10_000 }, "call-4"),
        reply().text("done"),
      );
      const { peer, thread } = await started(stage);
      await runTurn(peer, thread as never, "go");
      await runTurn(peer, thread as never, "go on", { sandboxPolicy: { type: "readOnly" } });
    },
    differences: [
      nicknames,
      {
        at: /commandExecution|thread\/settings\/updated|^model (input|tool)/,
        reason:
          "An agent that gets more work gets the permissions that its parent has now; in Codex it keeps those of its start until it is closed and resumed.",
      },
    ],
  },
];
