/** Threads whose commands run in another environment, played by an exec-server that does what the test says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { reply } from "@quire/testkit";
import { testServer } from "../../support/test-server.ts";

interface Started {
  readonly processId: string;
  readonly argv: readonly string[];
  readonly cwd: string;
}

/** An exec-server whose commands print their last argument; those that say `wait` continue until they are terminated. */
function execServer() {
  const started: Started[] = [];
  const sockets = new Set<Bun.ServerWebSocket<unknown>>();
  let isAway = false;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, self) => (!isAway && self.upgrade(request) ? undefined : new Response("", { status: 503 })),
    websocket: {
      open: (socket) => void sockets.add(socket),
      close: (socket) => void sockets.delete(socket),
      message: (socket, text) => {
        const { id, method, params } = JSON.parse(String(text));
        const send = (message: object) => socket.send(JSON.stringify(message));
        const end = (exitCode: number, processId: string) => {
          send({ method: "process/exited", params: { processId, seq: 2, exitCode } });
          send({ method: "process/closed", params: { processId, seq: 3 } });
        };
        if (id === undefined) return;
        const shell = { shell: { name: "zsh", path: "/far/zsh" }, cwd: "file:///far" };
        send({ id, result: method === "environment/info" ? shell : {} });
        if (method === "process/terminate") end(143, params.processId);
        if (method !== "process/start") return;
        started.push(params);
        const { processId, argv } = params as Started;
        const chunk = Buffer.from(`said ${argv.at(-1)}`).toString("base64");
        send({ method: "process/output", params: { processId, seq: 1, stream: "stdout", chunk } });
        if (argv.at(-1) !== "wait") end(7, processId);
      },
    },
  });
  return {
    started,
    /** Ends all connections and takes no more. The port stays its own, so that it can come back to it. */
    leave: () => {
      isAway = true;
      for (const socket of sockets) socket.terminate();
    },
    comeBack: () => {
      isAway = false;
    },
    url: `ws://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

async function elsewhere() {
  const server = await testServer();
  const { client, model } = server;
  const far = execServer();
  await client.request("environment/add", { environmentId: "far", execServerUrl: far.url });
  const open = { approvalPolicy: "never", sandbox: "danger-full-access" };
  return {
    ...{ model, client, far },
    thread: (more: object = {}) =>
      client.thread({ ...open, environments: [{ environmentId: "far", cwd: "/far/work" }], ...more }),
    says: (cmd: string) => model.script(reply().functionCall("exec_command", { cmd }), reply().text("done")),
    told: () => JSON.stringify(model.last?.body.input),
    offered: () => (model.last?.body.tools ?? []).map(({ name, type }) => name ?? type),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await far[Symbol.asyncDispose]();
    },
  };
}

test("commands run where the thread works, with that place's shell, and nothing on this machine", async () => {
  await using it = await elsewhere();
  const threadId = await it.thread();
  it.says("ls");
  await it.client.turn(threadId);
  const [{ argv, cwd } = { argv: [], cwd: "" }] = it.far.started;
  assert.deepEqual([argv, cwd], [["/far/zsh", "-lc", "ls"], "file:///far/work"]);
  const { item } = await it.client.waitFor("item/completed", (params) => params.item.type === "commandExecution");
  assert.deepEqual([item.aggregatedOutput, item.exitCode, item.cwd], ["said ls", 7, "/far/work"]);
  assert.ok(!it.offered().includes("view_image") && it.offered().includes("exec_command"));
  it.model.script(reply().customToolCall("apply_patch", "*** Begin Patch\n*** End Patch"), reply().text("done"));
  await it.client.turn(threadId);
  assert.match(it.told(), /the files are in the environment `far`/);
});

test("a place that goes away takes its commands along, and those who follow the thread hear of it", async () => {
  await using it = await elsewhere();
  const threadId = await it.thread();
  it.says("wait");
  const ended = it.client.turn(threadId);
  await it.client.waitFor("item/commandExecution/outputDelta");
  it.far.leave();
  assert.deepEqual(await it.client.waitFor("thread/environment/disconnected"), { threadId, environmentId: "far" });
  assert.equal((await ended).status, "completed");
  assert.match(it.told(), /the environment was disconnected/);
  it.far.comeBack();
  assert.deepEqual(await it.client.waitFor("thread/environment/connected"), { threadId, environmentId: "far" });
  it.says("pwd");
  await it.client.turn(threadId);
  assert.deepEqual(
    it.far.started.map(({ argv }) => argv.at(-1)),
    ["wait", "pwd"],
  );
});

test("what has to be confined is not run elsewhere, where nobody could confine it", async () => {
  await using it = await elsewhere();
  const threadId = await it.thread({ sandbox: "workspace-write" });
  it.says("ls");
  await it.client.turn(threadId);
  assert.match(it.told(), /cannot be confined/);
  assert.deepEqual(it.far.started, []);
});

test("a thread without any environment runs nothing and is offered nothing to run; one of two places is refused", async () => {
  await using it = await elsewhere();
  const threadId = await it.thread({ environments: [] });
  it.says("ls");
  await it.client.turn(threadId);
  assert.ok(!it.offered().includes("exec_command"));
  assert.match(it.told(), /no environment/);
  const place = { environmentId: "far", cwd: "/far" };
  await assert.rejects(it.thread({ environments: [place, place] }), /one environment at a time/);
  await assert.rejects(it.thread({ environments: [{ ...place, environmentId: "x" }] }), /unknown turn environment id/);
  await assert.rejects(
    it.client.request("thread/shellCommand", { threadId: await it.thread(), command: "ls" }),
    /uses another environment/,
  );
});
