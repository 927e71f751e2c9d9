import type { Scenario } from "../../lib/scenario.ts";
import { beginTurn, endOfTurn, runTurn, startThread } from "../../lib/steps.ts";
import { aboutCommand, runs, untrusted } from "./steps.ts";

/** Questions to several clients, and to one that comes back. */
export const approvalsClients: readonly Scenario[] = [
  {
    name: "approvals/reconnect",
    covers: "A question outlives the client's connection, and is asked again of who resumes the thread",
    run: async (stage) => {
      const first = await stage.dial();
      const thread = await startThread(first, untrusted);
      await runTurn(first, thread, "hello");
      stage.model.script(...runs("touch made"));
      await beginTurn(first, thread, "go");
      await first.waitForRequest(aboutCommand);
      await first.close();
      const second = await stage.dial();
      await second.result("thread/resume", { threadId: thread.id, excludeTurns: true });
      const { id } = await second.waitForRequest(aboutCommand);
      second.send({ id: id ?? -1, result: { decision: "accept" } });
      await endOfTurn(second);
    },
  },
  {
    name: "approvals/two-clients",
    covers: "A question goes to all who listen; the first answer wins",
    run: async (stage) => {
      const first = await stage.dial();
      const second = await stage.dial();
      const thread = await startThread(first, untrusted);
      await runTurn(first, thread, "hello");
      await second.result("thread/resume", { threadId: thread.id, excludeTurns: true });
      stage.model.script(...runs("touch made"));
      await beginTurn(first, thread, "go");
      await first.waitForRequest(aboutCommand);
      const { id } = await second.waitForRequest(aboutCommand);
      second.send({ id: id ?? -1, result: { decision: "accept" } });
      await endOfTurn(first);
      await endOfTurn(second);
    },
  },
];
