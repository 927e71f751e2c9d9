import { reply } from "@quire/testkit";
import type { Scenario } from "../lib/scenario.ts";
import { beginTurn, command, endOfTurn, runTurn, startThread } from "../lib/steps.ts";

const asking = "item/commandExecution/requestApproval";
const approvalPolicy = "untrusted";

interface Answered extends Pick<Scenario, "name" | "covers" | "differences"> {
  readonly decision: object | string;
}

/** One command that needs an approval, answered in one way, and the same command again. */
function answered({ decision, ...rest }: Answered): Scenario {
  return {
    ...rest,
    run: async (stage) => {
      stage.model.script(command("echo hi"), command("echo hi", {}, { callId: "call-2" }), reply().text("done"));
      const peer = await stage.connect();
      peer.answer(asking, () => ({ decision }));
      const thread = await startThread(peer, { approvalPolicy });
      await runTurn(peer, thread, "go");
      await peer.request("thread/turns/list", { threadId: thread.id, itemsView: "full" });
    },
  };
}

/** Commands that need somebody's consent. */
export const approvals: readonly Scenario[] = [
  answered({ name: "approvals/accept", covers: "A command that is approved, once", decision: "accept" }),
  answered({
    name: "approvals/accept-for-session",
    covers: "A command that is approved for the whole session",
    decision: "acceptForSession",
  }),
  answered({ name: "approvals/decline", covers: "A command that is declined: the turn goes on", decision: "decline" }),
  answered({ name: "approvals/cancel", covers: "A command that is cancelled: the turn ends", decision: "cancel" }),
  {
    name: "approvals/error-reply",
    covers: "A client that answers a request for approval with an error, or with nonsense",
    run: async (stage) => {
      stage.model.script(command("echo hi"), command("echo hi", {}, { callId: "call-2" }), reply().text("done"));
      const answers = [
        () => {
          throw new Error("the client says no");
        },
        () => ({ decision: "nonsense" }),
      ];
      const peer = await stage.connect();
      peer.answer(asking, () => answers.shift()?.());
      await runTurn(peer, await startThread(peer, { approvalPolicy }), "go");
    },
  },
  {
    name: "approvals/interrupt",
    covers: "A turn that is interrupted while it waits for an approval",
    run: async (stage) => {
      stage.model.script(command("echo hi"), reply().text("ok"));
      const peer = await stage.connect();
      const thread = await startThread(peer, { approvalPolicy });
      const turn = await beginTurn(peer, thread, "go");
      await peer.waitForRequest(asking);
      await peer.request("turn/interrupt", { threadId: thread.id, turnId: turn.id });
      await endOfTurn(peer);
      await stage.silence();
    },
  },
  {
    name: "approvals/never",
    covers: "With the policy `never` nobody is asked, and the model is told",
    run: async (stage) => {
      const escalated = { sandbox_permissions: "require_escalated", justification: "because" };
      stage.model.script(command("echo hi", escalated), reply().text("done"));
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer), "go");
    },
  },
  {
    name: "approvals/two-connections",
    covers: "Two clients are asked; the first answer counts",
    run: async (stage) => {
      stage.model.script(reply().text("ok"), command("echo hi"), reply().text("done"));
      const one = await stage.dial();
      const other = await stage.dial();
      const thread = await startThread(one, { approvalPolicy });
      await runTurn(one, thread, "first");
      await other.request("thread/resume", { threadId: thread.id, excludeTurns: true });
      const { id } = await beginTurn(one, thread, "go");
      await one.waitForRequest(asking);
      const { id: requestId = 0 } = await other.waitForRequest(asking);
      other.send({ id: requestId, result: { decision: "accept" } });
      await endOfTurn(one, id);
    },
  },
];
