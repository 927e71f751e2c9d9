import assert from "node:assert/strict";
import { test } from "node:test";
import type { Turn } from "@quire/protocol";
import { aResponse, aThread, FakeGateway } from "./support/fake-gateway.ts";

const aTurn = (id: string, status: Turn["status"] = "completed"): Turn => ({
  ...{ id, items: [], itemsView: "full" as const, status },
});

test("the branch that a server finds while the thread already runs is asked for, but not for ever", async () => {
  let branch: string | null = null;
  const thread = () => aThread("t1", branch === null ? {} : { gitInfo: { branch, sha: null, originUrl: null } });
  const gateway = new FakeGateway({
    "thread/start": () => aResponse(thread()),
    "thread/read": () => ({ thread: thread() }),
  });
  await gateway.open();
  await gateway.actions.newThread("h1");
  const turn = async (id: string): Promise<void> => {
    gateway.notify("turn/started", { threadId: "t1", turn: aTurn(id, "inProgress") });
    await gateway.settle();
    gateway.notify("turn/completed", { threadId: "t1", turn: aTurn(id) });
    await gateway.settle();
  };
  const asked = (): number => gateway.asked.filter(({ method }) => method === "thread/read").length;
  gateway.notify("turn/started", { threadId: "t1", turn: aTurn("u1", "inProgress") });
  await gateway.settle();
  assert.equal(gateway.thread("t1").summary.branch, null);
  branch = "harbour";
  gateway.notify("turn/completed", { threadId: "t1", turn: aTurn("u1") });
  await gateway.settle();
  assert.equal(gateway.thread("t1").summary.branch, "harbour");
  const before = asked();
  for (const id of ["u2", "u3", "u4"]) await turn(id);
  assert.equal(asked(), before);
});
