/** HTTP requests that an app-server elsewhere makes from here, and who may connect to an exec-server. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { connectWebSocket } from "@quire/jsonrpc/websocket";
import { listenExecServer } from "@quire/server/exec-server";
import { eventually, gate } from "@quire/testkit";
import { ExecClient, execStage } from "./support/exec-client.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

function website(answer: (request: Request) => Response | Promise<Response>) {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch: answer });
  return { url: `http://127.0.0.1:${server.port}/`, [Symbol.asyncDispose]: () => server.stop(true) };
}

test("a request goes out as it was given, and its answer comes back whole", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  await using site = website(async (request) => {
    const body = `${request.method} ${await request.text()} ${request.headers.get("x-a")}`;
    return new Response(body, { status: 201, headers: { "x-b": "1" } });
  });
  const request = { method: "POST", url: site.url, headers: [{ name: "x-a", value: "v" }], requestId: "r" };
  const { status, headers, bodyBase64 } = await client.request("http/request", {
    ...request,
    bodyBase64: base64("in"),
  });
  assert.deepEqual([status, bodyBase64], [201, base64("POST in v")]);
  assert.ok((headers as { name: string }[]).some(({ name }) => name === "x-b"));
  const refused = async (more: object) => (await client.refusal("http/request", { ...request, ...more }))[1];
  assert.match(await refused({ url: "file:///etc/passwd" }), /only supports http and https/);
  assert.match(await refused({ method: "B AD" }), /method is invalid/);
  assert.match(await refused({ headers: [{ name: "a b", value: "" }] }), /header is invalid/);
  assert.match(await refused({ url: "http://127.0.0.1:1/" }), /http\/request failed/);
});

test("a redirect is followed, or shown to a client that wants to see it", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  await using site = website((request) =>
    new URL(request.url).pathname === "/" ? Response.redirect("/there") : new Response("there"),
  );
  const request = { method: "GET", url: site.url, requestId: "r" };
  assert.equal((await client.request("http/request", request)).bodyBase64, base64("there"));
  assert.equal((await client.request("http/request", { ...request, redirectPolicy: "stop" })).status, 302);
});

test("a streamed body comes in pieces as it is sent, and ends with the connection of its client", async () => {
  await using stage = await execStage();
  const client = await stage.client();
  const [never, cancelled] = [gate(), gate()];
  let isFirst = true;
  await using site = website(() => {
    const body = new ReadableStream({
      async pull(controller) {
        if (!isFirst) await never;
        isFirst = false;
        controller.enqueue(new TextEncoder().encode("first"));
      },
      cancel: () => cancelled.open(),
    });
    return new Response(body);
  });
  const request = { method: "GET", url: site.url, requestId: "r", streamResponse: true };
  assert.equal((await client.request("http/request", request)).bodyBase64, "");
  const text = () =>
    client.told.map(({ params }) => Buffer.from(String(params.deltaBase64), "base64").toString()).join("");
  await eventually(() => text() === "first");
  await client.connection.close();
  await cancelled;
});

test("other machines need a token, and web pages are never let in", async () => {
  await using stage = await execStage();
  assert.throws(
    () => listenExecServer(stage.server, { url: "ws://0.0.0.0:0" }),
    /they could run anything here.*--ws-auth/,
  );
  for (const url of ["unix:///tmp/x", "ws://localhost:0", "off", "http://127.0.0.1:0"]) {
    assert.throws(() => listenExecServer(stage.server, { url }), /expected `ws:\/\/IP:PORT`/);
  }
  const tokenSha256 = createHash("sha256").update("token").digest("hex");
  const auth = { mode: "capability-token", tokenSha256 } as const;
  const listener = listenExecServer(stage.server, { url: "ws://127.0.0.1:0", auth });
  const connect = (headers: Record<string, string>) => connectWebSocket(listener.address, { headers });
  await assert.rejects(connect({}));
  await assert.rejects(connect({ authorization: "Bearer guess" }));
  await assert.rejects(connect({ authorization: "Bearer token", origin: "http://example.com" }));
  await using client = new ExecClient(await connect({ authorization: "Bearer token" }));
  await client.hello();
  await client.start("a", ["true"]);
  assert.equal(await client.ended("a"), 0);
  await listener.close();
});
