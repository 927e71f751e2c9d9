/** Attacks: a model on threads that are not its agents. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { eventually, gate, type Reply, reply } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { input } from "../support/test-client.ts";
import { command, type TestServer, testServer, unattended } from "../support/test-server.ts";

const everything = { approvalPolicy: "never", sandbox: "danger-full-access" } as const;
const readOnly = { sandboxPolicy: { type: "readOnly" } };

function call(name: string, args: object, callId: string): Reply {
  return reply().functionCall(name, args, { callId, namespace: "multi_agent_v1" });
}

/** What the model was told of a call. */
function told({ model }: TestServer, callId: string): string {
  return (
    model.requests.findLast((request) => request.functionOutput(callId) !== undefined)?.functionOutput(callId) ?? ""
  );
}

/** A thread in which a turn has been: an agent of `thread`, or one of the user's own. Both have full access. */
async function target(server: TestServer, { guarded, parent }: { guarded: boolean; parent: string }): Promise<string> {
  const { client, model } = server;
  if (!guarded) return agentOf(server, parent);
  const id = await client.thread({ ...everything, cwd: server.cwd });
  model.script(reply().text("a private answer"));
  await client.turn(id);
  return id;
}

/** An agent of a thread, when it has done its first task. */
async function agentOf(server: TestServer, parent: string): Promise<string> {
  server.model.when("first task").reply(reply().text("a private answer"));
  const callId = crypto.randomUUID();
  const id = () => JSON.parse(told(server, callId)).agent_id as string;
  server.model.script(
    call("spawn_agent", { message: "first task" }, callId),
    () => call("wait_agent", { targets: [id()], timeout_ms: 20_000 }, "first"),
    reply().text("started"),
  );
  await server.client.turn(parent);
  return id();
}

const mark = (server: TestServer) => join(server.outside, "made");
const order = "write the file";

/** Has whoever gets the order write outside of the workspace, and says whether it was written. */
async function writes(server: TestServer, thread: string, calls: readonly (() => Reply)[]): Promise<boolean> {
  server.model.when(order).reply(command(`touch ${mark(server)}`), reply().text("written"));
  server.model.script(...calls, reply().text("done"));
  await server.client.turn(thread);
  return existsSync(mark(server));
}

const orders = (target: string) => [
  () => call("send_input", { target, message: order }, "send"),
  () => call("wait_agent", { targets: [target], timeout_ms: 20_000 }, "wait"),
];

attack("has a thread of the user's, which has full access, do what it may not", async (guarded) => {
  await using server = await testServer();
  const parent = await server.client.thread({ ...everything, cwd: server.cwd });
  return await writes(server, parent, orders(await target(server, { guarded, parent })));
});

attack("has an agent of another thread, which has full access, do what it may not", async (guarded) => {
  await using server = await testServer();
  const other = await server.client.thread({ ...everything, cwd: server.cwd });
  const parent = guarded ? await server.client.thread({ ...unattended, cwd: server.cwd }) : other;
  return await writes(server, parent, orders(await agentOf(server, other)));
});

attack("has a thread of the user's do what it may not after taking it up from where it is stored", async (guarded) => {
  await using server = await testServer();
  const parent = await server.client.thread({ ...everything, cwd: server.cwd });
  const id = await target(server, { guarded, parent });
  // A thread without a turn is not stored.
  server.model.script(reply().text("hello"));
  await server.client.turn(parent);
  await server.close();
  const again = await server.open();
  await again.client.request("thread/resume", { threadId: parent });
  return await writes(again, parent, [() => call("resume_agent", { id }, "resume"), ...orders(id)]);
});

attack("names a thread of the user's in capitals", async (guarded) => {
  await using server = await testServer();
  const parent = await server.client.thread({ ...everything, cwd: server.cwd });
  const id = await target(server, { guarded, parent });
  const named = guarded ? id.toUpperCase() : id;
  return await writes(server, parent, [() => call("resume_agent", { id: named }, "resume"), ...orders(named)]);
});

attack("has the user's own copy of an agent do what it may not", async (guarded) => {
  await using server = await testServer();
  const parent = await server.client.thread({ ...everything, cwd: server.cwd });
  const agent = await agentOf(server, parent);
  const { thread } = (await server.client.request("thread/fork", { threadId: agent })) as { thread: { id: string } };
  return await writes(server, parent, orders(guarded ? thread.id : agent));
});

attack("reads the answer in another thread", async (guarded) => {
  await using server = await testServer();
  const parent = await server.client.thread({ ...unattended, cwd: server.cwd });
  const id = await target(server, { guarded, parent });
  server.model.script(call("wait_agent", { targets: [id] }, "read"), reply().text("done"));
  await server.client.turn(parent);
  return told(server, "read").includes("a private answer");
});

const ends = [
  { name: "ends the turn of another thread by closing it", tool: "close_agent", args: {} },
  {
    name: "ends the turn of another thread by giving it something else to do",
    tool: "send_input",
    args: { message: "stop", interrupt: true },
  },
];
for (const { name, tool, args } of ends) {
  attack(name, async (guarded) => {
    await using server = await testServer();
    const { client, model } = server;
    const parent = await client.thread({ ...unattended, cwd: server.cwd });
    const id = await target(server, { guarded, parent });
    model.when("long task").reply(reply().text(["working", gate()]));
    model.when("stop").reply(reply().text("stopped"));
    const { turn } = await client.request("turn/start", { threadId: id, input: input("long task") });
    await model.waitFor(({ lastUserText }) => lastUserText.includes("long task"));
    model.script(call(tool, { target: id, ...args }, "end"), reply().text("done"));
    await client.turn(parent);
    const { thread } = await client.request("thread/read", { threadId: id, includeTurns: true });
    return thread.turns.find((each: { id: string }) => each.id === turn.id).status !== "inProgress";
  });
}

attack("has its agent do what the thread may not do any more", async (guarded) => {
  await using server = await testServer();
  const parent = await server.client.thread({ ...everything, cwd: server.cwd });
  const agent = await agentOf(server, parent);
  if (guarded) await server.client.request("thread/settings/update", { threadId: parent, ...readOnly });
  return await writes(server, parent, orders(agent));
});

attack("closes and takes up its agent to do what the thread may not do any more", async (guarded) => {
  await using server = await testServer();
  const parent = await server.client.thread({ ...everything, cwd: server.cwd });
  const agent = await agentOf(server, parent);
  if (guarded) await server.client.request("thread/settings/update", { threadId: parent, ...readOnly });
  const again = [
    () => call("close_agent", { target: agent }, "close"),
    () => call("resume_agent", { id: agent }, "resume"),
  ];
  return await writes(server, parent, [...again, ...orders(agent)]);
});

attack("adds to the work of its agent, which may still do what the thread may not", async (guarded) => {
  await using server = await testServer();
  const { client, model } = server;
  const parent = await client.thread({ ...everything, cwd: server.cwd });
  const agent = await agentOf(server, parent);
  const held = gate();
  model.when("long task").reply(reply().gate(held).text("it was long"));
  await client.request("turn/start", { threadId: agent, input: input("long task") });
  await model.waitFor(({ lastUserText }) => lastUserText.includes("long task"));
  if (guarded) await client.request("thread/settings/update", { threadId: parent, ...readOnly });
  const [send, wait] = orders(agent);
  assert.ok(send && wait);
  return await writes(server, parent, [
    send,
    () => {
      held.open();
      return wait();
    },
  ]);
});

attack("opens more agents than a thread may have by taking up closed ones", async (guarded) => {
  await using server = await testServer();
  const { client, model } = server;
  const parent = await client.thread({ ...unattended, cwd: server.cwd });
  model.when("small task").always(() => reply().text("done"));
  const spawn = (n: number) => call("spawn_agent", { message: "small task" }, `spawn-${n}`);
  const id = (n: number) => JSON.parse(told(server, `spawn-${n}`)).agent_id as string;
  model.script(
    spawn(0),
    () => call("close_agent", { target: id(0) }, "close"),
    ...Array.from({ length: guarded ? 6 : 5 }, (_, n) => spawn(n + 1)),
    () => call("resume_agent", { id: id(0) }, "resume"),
    reply().text("enough"),
  );
  await client.turn(parent);
  await eventually(() => told(server, "resume") !== "");
  return !told(server, "resume").includes("limit reached");
});
