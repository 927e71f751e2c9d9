import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/test-server.ts";

/** An exec-server as far as it is asked about itself. */
function execServer(): { url: string; tokens: (string | null)[]; stop: () => Promise<void> } {
  const tokens: (string | null)[] = [];
  const answers: Readonly<Record<string, object>> = {
    initialize: { sessionId: "s" },
    "environment/info": { shell: { name: "zsh", path: "/bin/zsh" }, cwd: "file:///work" },
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, self) => {
      tokens.push(request.headers.get("authorization"));
      return self.upgrade(request) ? undefined : new Response("", { status: 400 });
    },
    websocket: {
      message: (socket, text) => {
        const { id, method } = JSON.parse(String(text)) as { id?: number; method: string };
        if (id !== undefined) socket.send(JSON.stringify({ id, result: answers[method] ?? {} }));
      },
    },
  });
  return { url: `ws://127.0.0.1:${server.port}`, tokens, stop: () => server.stop(true) };
}

test("an environment is reached when it is asked for, with its token, and again after it was gone", async () => {
  await using host = await testServer({ model: "offline" });
  const client = host.client;
  const first = execServer();
  const add = { environmentId: "far", execServerUrl: first.url, authBearerToken: "t" };
  await client.request("environment/add", add);
  assert.deepEqual(first.tokens, []);
  assert.deepEqual(await client.request("environment/info", { environmentId: "far" }), {
    shell: { name: "zsh", path: "/bin/zsh" },
    cwd: "file:///work",
  });
  assert.deepEqual(first.tokens, ["Bearer t"]);
  assert.equal((await client.request("environment/status", { environmentId: "far" })).status, "ready");
  await first.stop();

  const second = execServer();
  await client.request("environment/add", { ...add, execServerUrl: second.url });
  assert.equal((await client.request("environment/status", { environmentId: "far" })).status, "ready");
  await second.stop();
});

test("an environment cannot take the place of this machine, nor be anything but a WebSocket", async () => {
  await using host = await testServer({ model: "offline" });
  const client = host.client;
  await assert.rejects(
    client.request("environment/add", { environmentId: "local", execServerUrl: "ws://127.0.0.1:1" }),
  );
  await assert.rejects(client.request("environment/add", { environmentId: "x", execServerUrl: "http://127.0.0.1:1" }));
});
