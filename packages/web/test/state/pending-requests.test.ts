import assert from "node:assert/strict";
import { test } from "node:test";
import { aResponse, aThread, FakeGateway } from "./support/fake-gateway.ts";

const turn = (id: string, status: string) => ({ id, status, items: [], itemsView: "full" });

test("a question says what became of it: answered in another window, by another client, or its turn is over", async () => {
  const gateway = new FakeGateway({
    "thread/resume": () => aResponse(aThread("t1"), { initialTurnsPage: { data: [], nextCursor: null } }),
  });
  await gateway.open();
  await gateway.actions.openThread({ hub: "h1", thread: "t1" });
  const place = { threadId: "t1", turnId: "u1" };
  const command = { type: "commandExecution", command: "ls", commandActions: [], cwd: "/", status: "inProgress" };
  const labels = async () => {
    await gateway.settle();
    return Object.fromEntries(gateway.thread("t1").pending.map(({ id, answered }) => [id, answered?.label]));
  };
  gateway.notify("turn/started", { threadId: "t1", turn: turn("u1", "inProgress") });
  for (const id of ["window", "client", "stopped", "open"]) {
    gateway.ask(id, "item/commandExecution/requestApproval", { ...place, itemId: id, command: "ls" });
  }
  gateway.notify("serverRequest/resolved", { threadId: "t1", requestId: "window", answeredBy: "page" });
  gateway.notify("serverRequest/resolved", { threadId: "t1", requestId: "client" });
  gateway.notify("item/started", { ...place, item: { ...command, id: "next" } });
  // A server that stops a turn first takes its questions back, without saying why.
  gateway.notify("serverRequest/resolved", { threadId: "t1", requestId: "stopped" });
  gateway.notify("item/completed", { ...place, item: { ...command, id: "next", status: "failed" } });
  assert.equal((await labels()).stopped, "Answered elsewhere, by another client");
  gateway.notify("turn/completed", { threadId: "t1", turn: turn("u1", "interrupted") });
  assert.deepEqual(await labels(), {
    window: "Answered elsewhere, in another window",
    client: "Answered elsewhere, by another client",
    stopped: "Not answered: the turn was stopped",
    open: "Not answered: the turn was stopped",
  });
});

test("a page claims an answer as its own only once the gateway says that it counted", async () => {
  const gateway = new FakeGateway({
    "thread/resume": () => aResponse(aThread("t1"), { initialTurnsPage: { data: [], nextCursor: null } }),
  });
  gateway.confirms = false;
  await gateway.open();
  await gateway.actions.openThread({ hub: "h1", thread: "t1" });
  const place = { threadId: "t1", turnId: "u1" };
  const answered = async (id: string) => {
    await gateway.settle();
    return gateway.thread("t1").pending.find((request) => request.id === id)?.answered;
  };
  for (const id of ["won", "lost", "late"])
    gateway.ask(id, "item/commandExecution/requestApproval", { ...place, itemId: id, command: "ls" });
  const answers = ["won", "lost", "late"].map((id) => gateway.actions.answer(id, { decision: "decline" }, "Declined"));
  assert.equal(await answered("won"), null);
  gateway.notify("serverRequest/resolved", { threadId: "t1", requestId: "won", answeredBy: "you" });
  assert.deepEqual(await answered("won"), { label: "Declined", byMe: true });
  const answer = { result: { decision: "acceptForSession" } };
  gateway.notify("serverRequest/resolved", { threadId: "t1", requestId: "lost", answeredBy: "page", answer });
  assert.deepEqual(await answered("lost"), { label: "Allowed for the session in another window", byMe: false });
  // Taken by the gateway, but a client of the server was faster: what was done tells.
  gateway.notify("serverRequest/resolved", { threadId: "t1", requestId: "late", answeredBy: "you" });
  assert.deepEqual(await answered("late"), { label: "Declined", byMe: true });
  const ran = { type: "commandExecution", id: "late", command: "ls", commandActions: [], cwd: "/", exitCode: 0 };
  gateway.notify("item/completed", { ...place, item: { ...ran, status: "completed" } });
  assert.deepEqual(await answered("late"), { label: "Allowed by another client, before your answer", byMe: false });
  await Promise.all(answers);
});
