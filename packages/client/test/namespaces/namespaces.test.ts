import assert from "node:assert/strict";
import { test } from "node:test";
import { LoginError } from "@quire/client";
import { namespacesOf } from "@quire/client/groups";
import type { FuzzyFileSearchResult } from "@quire/protocol";
import { deferred, FakePort } from "../support/fake-port.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));
const file = (path: string) => ({ path }) as FuzzyFileSearchResult;

test("methods send what they are given, an empty object where all is optional, nothing where nothing is taken", async () => {
  const port = new FakePort();
  const codex = namespacesOf(port);
  await codex.threads.unarchive({ threadId: "t" });
  await codex.config.read();
  await codex.account.logout();
  await codex.mcp.reload();
  assert.deepEqual(port.made, [
    { method: "thread/unarchive", params: { threadId: "t" } },
    { method: "config/read", params: {} },
    { method: "account/logout", params: undefined },
    { method: "config/mcpServer/reload", params: undefined },
  ]);
  // @ts-expect-error A thread has to be named.
  await codex.threads.unarchive();
  // @ts-expect-error There is no such param.
  await codex.threads.unarchive({ thread: "t" });
});

test("aborting a file search makes the server give it up", async () => {
  const port = new FakePort();
  const { search } = namespacesOf(port);
  const controller = new AbortController();
  const found = deferred<{ files: FuzzyFileSearchResult[] }>();
  port.on("fuzzyFileSearch", (_, { signal }) => {
    signal?.addEventListener("abort", () => found.reject(signal.reason));
    return found.promise;
  });
  const searching = search.files({ query: "a", roots: ["/"] }, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await assert.rejects(searching, /enough/);
  const [first, second] = port.paramsOf("fuzzyFileSearch");
  assert.ok(first?.cancellationToken);
  assert.deepEqual(second, { query: "", roots: [], cancellationToken: first.cancellationToken });
});

test("a search session gives the newest results of the newest query only", async () => {
  const port = new FakePort();
  const session = await namespacesOf(port).search.session({ roots: ["/repo"] });
  const sessionId = port.paramsOf("fuzzyFileSearch/sessionStart")[0]?.sessionId ?? "";
  const update = (query: string, ...paths: string[]) =>
    port.send("fuzzyFileSearch/sessionUpdated", { sessionId, query, files: paths.map(file) });
  const complete = () => port.send("fuzzyFileSearch/sessionCompleted", { sessionId });

  update("");
  complete();
  await session.query("a");
  update("a", "/1");
  update("a", "/1", "/2");
  assert.deepEqual((await session.next()).value, { query: "a", files: [file("/1"), file("/2")], complete: false });
  complete();
  assert.equal((await session.next()).value?.complete, true);
  await session.query("ab");
  update("a", "/late");
  update("ab", "/3");
  complete();
  assert.deepEqual((await session.next()).value, { query: "ab", files: [file("/3")], complete: true });

  await session.query("abc");
  complete();
  update("abc", "/4");
  assert.equal((await session.next()).value?.complete, true, "the word that it is through came first");

  const waiting = session.next();
  await session.stop();
  assert.equal((await waiting).done, true);
  assert.deepEqual(port.paramsOf("fuzzyFileSearch/sessionStop"), [{ sessionId }]);
  assert.equal(port.listeners, 0);
});

test("a search session that cannot start, is aborted, or loses its connection leaves nothing", async () => {
  const port = new FakePort().on("fuzzyFileSearch/sessionStart", () => Promise.reject(new Error("no")));
  await assert.rejects(namespacesOf(port).search.session({ roots: [] }), /no/);
  assert.equal(port.listeners, 0);
  assert.equal(port.paramsOf("fuzzyFileSearch/sessionStop").length, 0);

  const other = new FakePort();
  const controller = new AbortController();
  const session = await namespacesOf(other).search.session({ roots: [] }, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await assert.rejects(session.next(), /enough/);
  await settle();
  assert.equal(other.paramsOf("fuzzyFileSearch/sessionStop").length, 1);
  const lost = await namespacesOf(other).search.session({ roots: [] });
  other.end(new Error("gone"));
  await assert.rejects(lost.next(), /gone/);
  assert.equal(other.listeners, 0);
});

test("a login to an MCP server is matched by its id, or by name where the server has none", async () => {
  const port = new FakePort().on("mcpServer/oauth/login", () => ({ authorizationUrl: "https://mcp", loginId: "L" }));
  const { mcp } = namespacesOf(port);
  const first = await mcp.login({ name: "docs" });
  assert.equal(first.url, "https://mcp");
  port.send("mcpServer/oauthLogin/completed", { name: "docs", loginId: "K", success: false });
  port.send("mcpServer/oauthLogin/completed", { name: "docs", loginId: "L", success: true });
  assert.equal((await first.completed).loginId, "L");

  port.on("mcpServer/oauth/login", () => ({ authorizationUrl: "https://mcp" }));
  const second = await mcp.login({ name: "docs" });
  port.send("mcpServer/oauthLogin/completed", { name: "other", success: true });
  port.send("mcpServer/oauthLogin/completed", { name: "docs", success: false, error: "denied" });
  await assert.rejects(second.completed, (error) => LoginError.is(error) && error.message === "denied");
  assert.equal(port.listeners, 0);
});

test("a search session outlives a lost connection: its newest query is asked again", async () => {
  const port = new FakePort()
    .on("fuzzyFileSearch/sessionStart", () => ({}))
    .on("fuzzyFileSearch/sessionUpdate", () => ({}))
    .on("fuzzyFileSearch/sessionStop", () => ({}));
  const session = await namespacesOf(port).search.session({ roots: ["/repo"] });
  await session.query("a");
  port.reconnect();
  while (port.paramsOf("fuzzyFileSearch/sessionUpdate").length < 2) await new Promise((done) => setImmediate(done));
  assert.equal(port.paramsOf("fuzzyFileSearch/sessionStart").length, 2);
  assert.equal(port.paramsOf("fuzzyFileSearch/sessionUpdate")[1]?.query, "a");
  await session.stop();
});
