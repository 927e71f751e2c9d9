import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { testServer } from "../support/test-server.ts";

/** An MCP server over HTTP that wants a token and counts its sessions. */
function httpServer() {
  const sessions = new Set<string>();
  const answers: Record<string, object> = {
    initialize: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "web", version: "1" },
    },
    "tools/list": { tools: [{ name: "hello", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "hello" }] },
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (request.headers.get("authorization") !== "Bearer token-1" || request.headers.get("x-own") !== "1")
        return new Response("", { status: 401 });
      const session = request.headers.get("mcp-session-id") ?? crypto.randomUUID();
      if (request.method === "DELETE") return new Response(null, { status: sessions.delete(session) ? 200 : 404 });
      if (request.method !== "POST") return new Response("", { status: 405 });
      const { id, method } = (await request.json()) as { id?: number; method: string };
      sessions.add(session);
      if (id === undefined) return new Response(null, { status: 202 });
      return Response.json(
        { jsonrpc: "2.0", id, result: answers[method] ?? {} },
        { headers: { "mcp-session-id": session } },
      );
    },
  });
  return { url: `http://127.0.0.1:${server.port}/mcp`, sessions, [Symbol.asyncDispose]: () => server.stop(true) };
}

test("a server over HTTP gets its token and headers, and its session is ended with the thread", async () => {
  await using web = httpServer();
  await using folder = await tempDir("quire-mcp-http-");
  const row = [`url = "${web.url}"`, 'bearer_token_env_var = "TOKEN"', 'http_headers = { "X-Own" = "1" }'];
  writeFileSync(join(folder.path, "config.toml"), ["[mcp_servers.web]", ...row].join("\n"));
  await using server = await testServer({
    home: folder.path,
    env: { PATH: process.env.PATH, HOME: folder.path, TOKEN: "token-1" },
  });
  const talk = server.client;
  const threadId = await talk.thread();
  const result = await talk.request("mcpServer/tool/call", { threadId, server: "web", tool: "hello" });
  assert.deepEqual(result, { content: [{ type: "text", text: "hello" }] });
  const { data } = await talk.request("mcpServerStatus/list", { threadId });
  assert.deepEqual([data[0].authStatus, `${data[0].httpOrigin}/mcp`], ["bearerToken", web.url]);
  assert.equal(web.sessions.size, 1);
  await talk.request("thread/archive", { threadId });
  assert.equal(web.sessions.size, 0);
});

test("a server over HTTP that refuses its token is told of", async () => {
  await using web = httpServer();
  await using folder = await tempDir("quire-mcp-http-");
  writeFileSync(
    join(folder.path, "config.toml"),
    `[mcp_servers.web]\nurl = "${web.url}"\nbearer_token_env_var = "TOKEN"`,
  );
  await using server = await testServer({
    home: folder.path,
    env: { PATH: process.env.PATH, HOME: folder.path, TOKEN: "wrong" },
  });
  const talk = server.client;
  await talk.thread();
  const { error } = await talk.waitFor("mcpServer/startupStatus/updated", ({ status }) => status === "failed");
  assert.match(error, /MCP client for `web` failed to start/);
});

test("an answer without end does not fill the memory", async () => {
  const endless = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => {
      const chunk = new Uint8Array(1024 * 1024).fill(32);
      const body = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
      return new Response(body, { headers: { "content-type": "application/json" } });
    },
  });
  await using folder = await tempDir("quire-mcp-http-");
  writeFileSync(join(folder.path, "config.toml"), `[mcp_servers.web]\nurl = "http://127.0.0.1:${endless.port}/mcp"`);
  await using server = await testServer({ home: folder.path });
  const talk = server.client;
  await talk.thread();
  const { error } = await talk.waitFor("mcpServer/startupStatus/updated", ({ status }) => status === "failed");
  assert.match(error, /a message is longer than \d+ bytes/);
  await endless.stop(true);
});
