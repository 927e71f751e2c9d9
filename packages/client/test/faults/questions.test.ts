/** Questions of the server that nobody answers, or too late: the server is never left waiting, nor the handler. */
import assert from "node:assert/strict";
import { type ApprovalRequest, jsonSchema, policies, tool, WithdrawnError } from "@quire/client";
import { eventually, gate } from "@quire/testkit";
import { brokenLine, items, loseTurn, serveLists } from "./support/broken-line.ts";
import { ends, wireTurn } from "./support/events.ts";
import { type HandServer, rig } from "./support/hand-server.ts";
import { test, tick } from "./support/test.ts";

const about = { threadId: "thread", turnId: "t1", itemId: "c", startedAtMs: 0 };
const command = { ...about, kind: "command", command: "ls", cwd: "/", commandActions: [] };
const question = { id: "q", header: "Name", question: "Which?", isOther: false, isSecret: false, options: null };
const form = { serverName: "s", mode: "form", message: "Name?", requestedSchema: { type: "object", properties: {} } };

/** Every kind of question, and the answer where nobody gives one. */
const kinds: readonly (readonly [method: string, params: object, refusal: object])[] = [
  ["item/commandExecution/requestApproval", command, { decision: "decline" }],
  ["item/fileChange/requestApproval", about, { decision: "decline" }],
  ["item/permissions/requestApproval", { ...about, cwd: "/", permissions: {} }, { permissions: {}, scope: "turn" }],
  [
    "execCommandApproval",
    { conversationId: "thread", callId: "c", command: ["ls"], cwd: "/", parsedCmd: [] },
    { decision: "denied" },
  ],
  ["applyPatchApproval", { conversationId: "thread", callId: "c", fileChanges: {} }, { decision: "denied" }],
  ["item/tool/requestUserInput", { ...about, questions: [question] }, { answers: {} }],
  ["mcpServer/elicitation/request", { ...about, ...form }, { action: "decline" }],
];

test("without handlers every kind of question is declined at once, with a warning, and the turn goes on", async () => {
  await using fixture = await rig();
  const { server, thread, warnings } = fixture;
  server.on("turn/start", () => ({ turn: wireTurn("t1", "inProgress") }));
  const turn = thread.run("go");
  await turn.id;
  for (const [index, [method, params, refusal]] of kinds.entries()) {
    server.send({ id: 900 + index, method, params });
    const { result } = await server.answerTo(900 + index);
    assert.deepEqual({ ...(result as object), ...refusal }, result, method);
  }
  assert.deepEqual(
    warnings.map(({ code, details }) => [code, (details as { method: string }).method]),
    kinds.map(([method]) => ["declined", method]),
  );
  server.play("t1", ends("t1"));
  assert.equal((await turn).status, "completed");
});

test("a question of a kind that does not exist gets an error, not silence", async () => {
  await using fixture = await rig();
  const { server } = fixture;
  server.send({ id: "x", method: "item/never/heardOf", params: about });
  assert.equal(((await server.answerTo("x")).error as { code: number }).code, -32601);
  server.send({ id: "y", method: "item/commandExecution/requestApproval", params: null });
  const { result, error } = await server.answerTo("y");
  assert.ok(result !== undefined || error !== undefined, "one without params is answered too");
});

/** Asks for approval of a client whose handler never answers, and gives what the handler saw. */
async function askInVain() {
  const asked: ApprovalRequest[] = [];
  const fixture = await rig({
    onApproval: (request) => {
      asked.push(request);
      return new Promise(() => undefined);
    },
  });
  const { server, thread } = fixture;
  server.on("turn/start", () => ({ turn: wireTurn("t1", "inProgress") }));
  const turn = thread.run("go");
  await turn.id;
  server.send({ id: 0, method: "item/commandExecution/requestApproval", params: command });
  server.send({ id: 1, method: "item/commandExecution/requestApproval", params: { ...command, turnId: "another" } });
  const [request, other] = await eventually(() => asked.length === 2 && (asked as [ApprovalRequest, ApprovalRequest]));
  return { ...fixture, turn, request, other, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

const withdrawals: Readonly<Record<string, (server: HandServer) => void>> = {
  "serverRequest/resolved": (server) => server.notify("serverRequest/resolved", { threadId: "thread", requestId: 0 }),
  "the end of its turn": (server) => server.play("t1", ends("t1")),
  "the end of its turn, told as turn/failed": (server) =>
    server.notify("turn/failed", { threadId: "thread", turnId: "t1" }),
};

for (const [cause, withdraw] of Object.entries(withdrawals)) {
  test(`a question that the handler never answers is withdrawn by ${cause}; that of another turn is not`, async () => {
    await using fixture = await askInVain();
    const { server, turn, request, other } = fixture;
    assert.equal(request.signal.aborted, false);
    withdraw(server);
    await eventually(() => request.signal.aborted, { what: "the signal to be aborted", intervalMs: 1 });
    assert.ok(request.signal.reason instanceof WithdrawnError);
    assert.equal(other.signal.aborted, false);
    server.play("t1", ends("t1"));
    await turn.catch(() => undefined);
    await tick();
    assert.ok(server.received.filter(({ id, method }) => id === 0 && method === undefined).length <= 1);
  });
}

test("a question that the handler never answers is withdrawn by the end of the connection", async () => {
  await using fixture = await askInVain();
  await fixture.client.close();
  assert.equal(fixture.request.signal.aborted, true);
  assert.equal(fixture.other.signal.aborted, true);
});

test("a handler that throws declines, with a warning, and an answer after the withdrawal goes nowhere", async () => {
  const answer = gate();
  await using fixture = await rig({
    onApproval: {
      command: async (request) => {
        await answer;
        return request.accept();
      },
      fileChange: () => {
        throw new Error("no idea");
      },
    },
    onAuthRefresh: () => {
      throw new Error("no tokens");
    },
  });
  const { server, warnings } = fixture;
  server.send({ id: 5, method: "item/fileChange/requestApproval", params: about });
  assert.deepEqual((await server.answerTo(5)).result, { decision: "decline" });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["handler-failed"],
  );
  server.send({ id: 6, method: "account/chatgptAuthTokens/refresh", params: { reason: "unauthorized" } });
  assert.match(((await server.answerTo(6)).error as { message: string }).message, /no tokens/);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["handler-failed", "handler-failed"],
  );
  server.send({ id: 7, method: "item/commandExecution/requestApproval", params: command });
  server.notify("serverRequest/resolved", { threadId: "thread", requestId: 7 });
  const first = await server.answerTo(7);
  answer.open();
  await tick();
  await tick();
  assert.deepEqual(first.result, { decision: "decline" }, "what is withdrawn is never accepted");
  assert.equal(server.received.filter(({ id }) => id === 7).length, 1);
});

test("tool calls run at the same time, and the signal of each is aborted when its turn ends", async () => {
  const signals = new Map<string, AbortSignal>();
  const release = gate();
  const wait = tool({
    name: "wait",
    description: "Waits",
    input: jsonSchema<{ for: string }>({ type: "object" }),
    run: async ({ for: what }, { signal }) => {
      signals.set(what, signal);
      if (what === "release") await release;
      else await new Promise(() => undefined);
      return `waited for ${what}`;
    },
  });
  await using fixture = await rig();
  const { client, server } = fixture;
  server.on("turn/start", () => ({ turn: wireTurn("t1", "inProgress") }));
  const thread = await client.thread({ tools: [wait] });
  const turn = thread.run("go");
  await turn.id;
  for (const [id, what] of ["never", "release", "ever"].entries()) {
    const params = { ...about, callId: `call-${id}`, namespace: null, tool: "wait", arguments: { for: what } };
    server.send({ id, method: "item/tool/call", params });
  }
  await eventually(() => signals.size === 3, { what: "all three to run", intervalMs: 1 });
  release.open();
  assert.deepEqual((await server.answerTo(1)).result, {
    success: true,
    contentItems: [{ type: "inputText", text: "waited for release" }],
  });
  assert.equal(signals.get("never")?.aborted, false);
  server.play("t1", ends("t1"));
  await turn;
  assert.equal(signals.get("never")?.aborted, true);
  assert.equal(signals.get("ever")?.aborted, true);
  for (const id of [0, 2]) assert.equal(((await server.answerTo(id)).result as { success: boolean }).success, false);
});

test("a question asked again after a reconnect under the same id is answered on the new line, once", async () => {
  const asked: ApprovalRequest[] = [];
  await using sockets = await brokenLine((server) => {
    const early = () => server.send({ id: 0, method: "item/commandExecution/requestApproval", params: command });
    serveLists(server, { status: "inProgress", items: [items[0]], early });
  });
  await using fixture = await loseTurn(
    sockets.url,
    {
      ...policies.declineAll,
      onApproval: (request) => {
        asked.push(request);
        return asked.length === 1 ? new Promise(() => undefined) : request.accept();
      },
    },
    (client) => {
      client.on("item:completed", () => {
        const params = command;
        sockets.sessions[0]?.server.send({ id: 0, method: "item/commandExecution/requestApproval", params });
      });
    },
  );
  const { server } = await sockets.session(1);
  assert.deepEqual((await server.answerTo(0)).result, { decision: "accept" });
  assert.equal(asked[0]?.signal.aborted, true);
  assert.equal(
    sockets.sessions[0]?.server.received.some(({ id, method }) => id === 0 && method === undefined),
    false,
  );
  server.play("t1", ends("t1"));
  assert.equal((await fixture.turn).status, "completed");
});
