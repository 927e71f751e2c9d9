import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { oauthMcpServer } from "@quire/testkit/oauth-mcp-server";
import { testServer } from "../support/test-server.ts";

/** A server with one MCP server that wants a login. */
async function session() {
  const web = await oauthMcpServer();
  const folder = await tempDir("quire-mcp-oauth-");
  writeFileSync(join(folder.path, "config.toml"), `[mcp_servers.web]\nurl = "${web.url}"`);
  const server = await testServer({ home: folder.path });
  const { client } = server;
  return {
    web,
    client,
    file: join(folder.path, ".credentials.json"),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await web[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("a server that wants a login says so, and starts in all threads when the user has logged in", async () => {
  await using it = await session();
  const threadId = await it.client.thread();
  const { error } = await it.client.waitFor("mcpServer/startupStatus/updated", ({ status }) => status === "failed");
  assert.match(error, /The web MCP server is not logged in/);
  const before = await it.client.request("mcpServerStatus/list", { threadId });
  assert.deepEqual(
    [before.data[0].runtimeStatus, before.data[0].authStatus],
    ["authenticationRequired", "notLoggedIn"],
  );

  const { authorizationUrl, loginId } = await it.client.request("mcpServer/oauth/login", { name: "web" });
  const back = it.web.authorize(authorizationUrl);
  const wrong = new URL(back);
  wrong.searchParams.set("state", "guessed");
  assert.equal((await fetch(wrong)).status, 400);
  assert.equal((await fetch(back)).status, 200);
  const completed = await it.client.waitFor("mcpServer/oauthLogin/completed");
  assert.deepEqual(completed, { name: "web", threadId: null, loginId, success: true });
  await it.client.waitFor("mcpServer/startupStatus/updated", ({ status }) => status === "ready");
  const call = { threadId, server: "web", tool: "hello" };
  assert.deepEqual(await it.client.request("mcpServer/tool/call", call), {
    content: [{ type: "text", text: "hello" }],
  });
  assert.equal(statSync(it.file).mode & 0o777, 0o600);
  const rows = JSON.parse(readFileSync(it.file, "utf8")) as Record<string, { server_url: string; client_id: string }>;
  assert.deepEqual(
    Object.values(rows).map((row) => [row.server_url, row.client_id]),
    [[it.web.url, "client-1"]],
  );
  const after = await it.client.request("mcpServerStatus/list", { threadId });
  assert.deepEqual([after.data[0].runtimeStatus, after.data[0].authStatus], ["connected", "oAuth"]);

  // A token that has ended is renewed by the call that needs it.
  it.web.expire();
  assert.deepEqual(await it.client.request("mcpServer/tool/call", call), {
    content: [{ type: "text", text: "hello" }],
  });
  assert.equal(it.web.asked.filter((asked) => asked === "POST /token").length, 2);
});

test("a login that the user refuses fails with the reason, and one that waits ends with the server", async () => {
  await using it = await session();
  const first = await it.client.request("mcpServer/oauth/login", { name: "web" });
  const back = new URL(it.web.authorize(first.authorizationUrl));
  back.searchParams.delete("code");
  back.searchParams.set("error", "access_denied");
  assert.equal((await fetch(back)).status, 400);
  const { success, error } = await it.client.waitFor("mcpServer/oauthLogin/completed");
  assert.deepEqual([success, error], [false, "the server refused: access_denied"]);
  await it.client.request("mcpServer/oauth/login", { name: "web" });
  await assert.rejects(
    it.client.request("mcpServer/oauth/login", { name: "nope" }),
    /No MCP server named 'nope' found/,
  );
});

test("a server cannot have a login open anything but a web page", async () => {
  for (const page of ["file:///etc/passwd", "vscode://command", "javascript:alert(1)"]) {
    await using it = await session();
    it.web.page = page;
    await assert.rejects(it.client.request("mcpServer/oauth/login", { name: "web" }), /failed to login to MCP server/);
  }
});
