import { type RecordedRequest, reply } from "@quire/testkit";
import type { Peer } from "../../lib/peer.ts";
import type { Scenario } from "../../lib/scenario.ts";
import { command, runTurn, startThread } from "../../lib/steps.ts";

const aboutCommand = "item/commandExecution/requestApproval";
const escalated = { sandbox_permissions: "require_escalated", justification: "May I?" };
const confined = { approvalPolicy: "on-request", sandbox: "workspace-write" };
/** Codex asks about input only with this; Quire always does. */
const setup = { config: { "features.write_stdin_approval": true } };

const program = {
  at: "event item/commandExecution/requestApproval params.reason",
  reason: "A question about input names the program that it goes to.",
};

/** The model types into the command that it started first. */
function types(chars: string, callId: string) {
  return (request: RecordedRequest) => {
    const id = /session ID (\d+)/.exec(request.functionOutput("call-1") ?? "")?.[1];
    return reply().functionCall("write_stdin", { session_id: Number(id), chars, yield_time_ms: 1000 }, { callId });
  };
}

function decides(peer: Peer, ...decisions: readonly string[]): void {
  const left = [...decisions];
  peer.answer(aboutCommand, () => ({ decision: left.shift() ?? "decline" }));
}

/** Input for commands that run with more rights than the thread gives. */
export const approvalsInput: readonly Scenario[] = [
  {
    name: "approvals/input",
    covers:
      "Input for a command outside of the sandbox: accepted, accepted for longer, declined; looking is not asked about",
    setup,
    run: async (stage) => {
      stage.model.script(
        command("head -n 3", { tty: true, yield_time_ms: 500, ...escalated }),
        types("abc\n", "call-2"),
        types("", "call-3"),
        types("def\n", "call-4"),
        types("def\n", "call-5"),
        types("ghi\n", "call-6"),
        reply().text("done"),
      );
      const peer = await stage.connect();
      decides(peer, "accept", "accept", "acceptForSession", "decline", "decline");
      await runTurn(peer, await startThread(peer, confined), "go");
    },
    differences: [program],
  },
  {
    name: "approvals/input-confined",
    covers: "Input for a command within the sandbox is not asked about",
    setup,
    run: async (stage) => {
      stage.model.script(
        command("head -n 1", { tty: true, yield_time_ms: 500 }),
        types("abc\n", "call-2"),
        reply().text("done"),
      );
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer, confined), "go");
    },
  },
  {
    name: "approvals/input-untrusted",
    covers: "Input where everything is asked about and nothing confined",
    setup,
    run: async (stage) => {
      stage.model.script(
        command("tee made", { tty: true, yield_time_ms: 500 }),
        types("abc\n", "call-2"),
        reply().text("done"),
      );
      const peer = await stage.connect();
      decides(peer, "accept", "accept");
      await runTurn(
        peer,
        await startThread(peer, { approvalPolicy: "untrusted", sandbox: "danger-full-access" }),
        "go",
      );
    },
    differences: [
      {
        at: /^event adds: (thread\/status\/changed active|item\/commandExecution\/requestApproval|serverRequest\/resolved)/,
        reason: "Where every command is asked about, so is what is typed into one.",
      },
    ],
  },
  {
    name: "approvals/input-never",
    covers: "Input for a command outside of the sandbox that is cancelled, or where nobody may be asked; an interrupt",
    setup,
    run: async (stage) => {
      const peer = await stage.connect();
      decides(peer, "accept", "cancel");
      stage.model.script(command("head -n 3", { tty: true, yield_time_ms: 500, ...escalated }), reply().text("done"));
      const thread = await startThread(peer, confined);
      await runTurn(peer, thread, "go");
      stage.model.script(types("abc\n", "call-2"));
      await runTurn(peer, thread, "go");
      stage.model.script(types("abc\n", "call-3"), types("\u0003", "call-4"), reply().text("done"));
      await runTurn(peer, thread, "go", { approvalPolicy: "never" });
    },
    differences: [
      program,
      {
        at: /^event adds: item\/(commandExecution\/terminalInteraction|completed commandExecution)|^model input (lacks|adds): function_call_output {"call_id":"call-4"/,
        reason: "An interrupt is not asked about, and works where nobody may be asked.",
      },
    ],
  },
];
