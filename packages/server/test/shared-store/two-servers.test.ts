import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually, gate, reply } from "@quire/testkit";
import { findPostgres, type PostgresServer, postgresServer } from "@quire/testkit/postgres";
import { command, type TestServer, testServer } from "../support/test-server.ts";

const skip = findPostgres() === null && "PostgreSQL is not installed";
let postgres: PostgresServer;
before(async () => {
  if (!skip) postgres = await postgresServer();
});
after(() => postgres?.stop());

interface TwoServers extends AsyncDisposable {
  readonly first: TestServer;
  readonly second: TestServer;
  /** Ends all leases, as though the servers had been silent for so long. */
  expire(): Promise<void>;
}

/** Two servers with homes and models of their own, as on two machines, with one database. */
async function twoServers(): Promise<TwoServers> {
  const url = await postgres.createDatabase();
  const configOverrides = { "store.url": url, "store.lease_seconds": 600 };
  const first = await testServer({ configOverrides });
  const second = await testServer({ configOverrides });
  return {
    first,
    second,
    async expire() {
      const sql = new Bun.SQL(url, { max: 1 });
      await sql`UPDATE nodes SET lease_until = now() - interval '1 second'`;
      await sql.end();
    },
    async [Symbol.asyncDispose]() {
      await first[Symbol.asyncDispose]();
      await second[Symbol.asyncDispose]();
    },
  };
}

/** A thread that the first server has, with one turn. */
async function threadOn({ model, client, cwd }: TestServer): Promise<string> {
  model.script(reply().text("The first answer"));
  const threadId = await client.thread({ cwd, approvalPolicy: "untrusted", sandbox: "workspace-write" });
  await client.turn(threadId, "hello");
  return threadId;
}

test("a turn on another server is started, followed and read from any", { skip }, async () => {
  await using it = await twoServers();
  const { first, second } = it;
  const threadId = await threadOn(first);
  const { data } = await second.client.request("thread/list", {});
  assert.deepEqual(
    data.map((thread: { id: string }) => thread.id),
    [threadId],
  );
  const { thread } = await second.client.request("thread/resume", { threadId });
  assert.equal(thread.turns.length, 1);
  first.model.script(reply().text("The second answer"));
  await second.client.turn(threadId, "and now?");
  const said = second.client.items.filter(({ type }) => type === "agentMessage");
  assert.deepEqual(
    said.map((item) => item.type === "agentMessage" && item.text),
    ["The second answer"],
  );
  const all = [first, second].map(({ client }) => client.all("item/agentMessage/delta").length);
  assert.ok((all[1] ?? 0) > 0, "deltas reach the client of the other server");
  assert.equal(second.model.requests.length, 0, "only the thread's own server asks a model");
});

test("a question reaches clients of all servers, and the first answer counts", { skip }, async () => {
  await using it = await twoServers();
  const { first, second } = it;
  const threadId = await threadOn(first);
  await second.client.request("thread/resume", { threadId });
  first.model.script(command("touch made-by-agreement"), reply().text("Done"));
  await second.client.start(threadId, "make it");
  const there = await second.client.find(({ method }) => method === "item/commandExecution/requestApproval");
  const here = await first.client.find(({ method }) => method === "item/commandExecution/requestApproval");
  await second.client.answer(there.params.itemId, { decision: "accept" });
  await second.client.waitFor("turn/completed", ({ threadId: of }) => of === threadId);
  const resolved = await first.client.waitFor("serverRequest/resolved");
  assert.equal(resolved.requestId, here.id);
  const done = first.client.items.find(({ type }) => type === "commandExecution");
  assert.equal(done?.type === "commandExecution" && done.status, "completed");
});

test("a thread goes on elsewhere when its server has ended", { skip }, async () => {
  await using it = await twoServers();
  const { first, second } = it;
  const threadId = await threadOn(first);
  await second.client.request("thread/resume", { threadId });
  await first.close();
  await second.client.waitFor("thread/closed", ({ threadId: of }) => of === threadId);
  const { thread } = await second.client.request("thread/resume", { threadId });
  assert.equal(thread.turns.length, 1);
  second.model.script(reply().text("From the other server"));
  await second.client.turn(threadId, "go on");
  const [sent] = second.model.requests;
  assert.match(JSON.stringify(sent?.body.input), /The first answer/);
});

test("a server that was stopped for longer than its lease ends its turn, and what it says is not stored", {
  skip,
}, async () => {
  await using it = await twoServers();
  const { first, second } = it;
  const threadId = await threadOn(first);
  const held = gate();
  first.model.script(reply().text("before").gate(held).text("after"));
  await first.client.start(threadId, "think");
  await first.client.waitFor("item/agentMessage/delta", ({ delta }) => delta.includes("before"));
  await it.expire();
  const { thread } = await second.client.request("thread/resume", { threadId });
  assert.equal(thread.turns.at(-1).status, "interrupted");
  held.open();
  const { turn } = await first.client.waitFor("turn/completed", ({ turn: { status } }) => status !== "completed");
  assert.equal(turn.status, "failed");
  assert.match(turn.error.message, /no longer this server's/);
  const read = await second.client.request("thread/read", { threadId, includeTurns: true });
  assert.doesNotMatch(JSON.stringify(read.thread.turns), /after/);
});

test("goals, projects and queued messages are the same on every server", { skip }, async () => {
  await using it = await twoServers();
  const { first, second } = it;
  const threadId = await threadOn(first);
  await first.client.request("thread/goal/set", { threadId, objective: "Find the lighthouse", status: "paused" });
  const { project } = await first.client.request("project/create", {
    name: "Coast",
    roots: [],
    idempotencyKey: "coast",
  });
  const listed = async () => (await second.client.request("project/list", {})).data;
  const found = await eventually(async () => (await listed()).find(({ id }: { id: string }) => id === project.id));
  assert.equal(found.name, "Coast");
  await second.client.request("project/create", { name: "Harbour", roots: [], idempotencyKey: "harbour" });
  await eventually(async () => (await first.client.request("project/list", {})).data.length === 2);
  await first.close();
  const { goal } = await second.client.request("thread/goal/get", { threadId });
  assert.equal(goal.objective, "Find the lighthouse");
  await second.client.request("thread/goal/clear", { threadId });
  assert.equal((await second.client.request("thread/goal/get", { threadId })).goal, null);
});
