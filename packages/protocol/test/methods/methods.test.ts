import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { experimentalUse, isMethod, type MethodRow, methodRow, methods, scopeKey } from "@quire/protocol/methods";
import { hasType } from "@quire/protocol/validate";

const rows: [string, MethodRow][] = Object.entries(methods);
const count = (from: MethodRow["from"], kind: MethodRow["kind"]): number =>
  rows.filter(([, row]) => row.from === from && row.kind === kind).length;

describe("the method table", () => {
  it("holds every method of the pinned Codex", () => {
    assert.equal(count("client", "request"), 187);
    assert.equal(count("server", "notification"), 88);
    assert.equal(count("server", "request"), 11);
    assert.equal(count("client", "notification"), 1);
  });

  it("marks the stable client methods", () => {
    const stable = rows.filter(
      ([, row]) => row.from === "client" && row.kind === "request" && row.stability === "stable",
    );
    assert.equal(stable.length, 112);
  });

  it("names only types that exist", () => {
    for (const [method, { params, result, kind }] of rows) {
      assert.ok(params === null || hasType(params), `${method}: ${params}`);
      assert.equal(result === null, kind === "notification", method);
      assert.ok(result === null || hasType(result), `${method}: ${result}`);
    }
  });

  it("knows the methods that Codex's JSON Schema leaves out", () => {
    for (const method of ["getConversationSummary", "gitDiffToRemote", "getAuthStatus"]) assert.ok(isMethod(method));
    for (const method of ["rawResponseItem/completed", "rawResponse/completed"]) assert.ok(isMethod(method));
  });

  it("does not take inherited names for methods", () => {
    assert.equal(isMethod("toString"), false);
    assert.equal(methodRow("constructor"), undefined);
  });
});

describe("scopeKey", () => {
  it("orders what acts on one thread, one process, one watch", () => {
    assert.equal(scopeKey("turn/start", { threadId: "t1" }), "threadId:t1");
    assert.equal(scopeKey("thread/read", { threadId: "t1" }), scopeKey("turn/interrupt", { threadId: "t1" }));
    assert.equal(scopeKey("command/exec/write", { processId: "p" }), "processId:p");
    assert.equal(scopeKey("fs/unwatch", { watchId: "w" }), "watchId:w");
    assert.equal(scopeKey("process/kill", { processHandle: "h" }), "processHandle:h");
  });

  it("orders changes of the config and of the account", () => {
    assert.equal(scopeKey("config/value/write", {}), "config");
    assert.equal(scopeKey("accountSession/switch", { sessionId: "s" }), "account");
  });

  it("leaves the rest unordered", () => {
    assert.equal(scopeKey("fs/readFile", { path: "/a" }), undefined);
    assert.equal(scopeKey("command/exec", { command: ["ls"] }), undefined);
    assert.equal(scopeKey("no/such/method", {}), undefined);
    assert.equal(scopeKey("turn/start", null), undefined);
  });

  it("lets a running command be written to", () => {
    assert.deepEqual(methods["command/exec"].scope, { by: "processId", until: "started" });
  });
});

describe("experimentalUse", () => {
  it("names experimental methods and fields, as the server's error does", () => {
    assert.deepEqual(experimentalUse("thread/realtime/start", {}), ["thread/realtime/start"]);
    assert.deepEqual(experimentalUse("thread/start", { dynamicTools: [{}], cwd: "/" }), ["thread/start.dynamicTools"]);
    assert.deepEqual(experimentalUse("mcpServer/elicitation/request", { mode: "openai/userVerification" }), [
      "mcpServer/elicitation/request.mode=openai/userVerification",
    ]);
  });

  it("does not count what is absent, null, false or empty", () => {
    const params = { dynamicTools: [], experimentalRawEvents: false, permissions: null };
    assert.deepEqual(experimentalUse("thread/start", params), []);
    assert.deepEqual(experimentalUse("thread/start", undefined), []);
    assert.deepEqual(experimentalUse("no/such/method", {}), []);
  });

  it("finds nested fields", () => {
    const params = { thread: { environments: [{}] } };
    assert.deepEqual(experimentalUse("thread/started", params), ["thread/started.thread.environments"]);
  });
});
