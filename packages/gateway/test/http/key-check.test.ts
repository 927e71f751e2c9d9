import assert from "node:assert/strict";
import { test } from "node:test";
import { testGateway } from "../support/test-gateway.ts";

/** A provider that knows one key. It sends other keys away, and one of them elsewhere. */
function provider() {
  const shown: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request): Response {
      const key = request.headers.get("authorization") ?? "";
      shown.push(`${new URL(request.url).pathname} ${key}`);
      if (key === "Bearer good") return Response.json({ data: [{ id: "one" }, { id: 2 }, null] });
      if (key === "Bearer moved") return new Response(null, { status: 302, headers: { location: "/elsewhere" } });
      return Response.json({ error: { message: "Incorrect API key" } }, { status: 401 });
    },
  });
  return { server, shown, baseUrl: `http://127.0.0.1:${server.port}/v1` };
}

test("a provider is asked in the way of its API, and without a key where there is none", async () => {
  const seen: Record<string, string>[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request): Response {
      seen.push(Object.fromEntries(request.headers));
      return Response.json({ models: [{ name: "models/flash" }] });
    },
  });
  await using gateway = testGateway();
  const ask = async (body: object): Promise<unknown> => {
    const answer = await fetch(`${gateway.origin}/api/key-check`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${gateway.token}` },
      body: JSON.stringify({ baseUrl: `http://127.0.0.1:${server.port}/v1`, ...body }),
    });
    return answer.json();
  };
  try {
    assert.deepEqual(await ask({ key: "", wireApi: "responses" }), { verdict: "good", models: ["flash"] });
    await ask({ key: "k", wireApi: "anthropic" });
    await ask({ key: "k", wireApi: "gemini" });
    assert.deepEqual(
      seen.map((headers) => [headers.authorization, headers["x-api-key"], headers["x-goog-api-key"]]),
      [
        [undefined, undefined, undefined],
        [undefined, "k", undefined],
        [undefined, undefined, "k"],
      ],
    );
  } finally {
    await server.stop(true);
  }
});

test("a key is shown to the provider that it is for and to nobody else, and only for who is signed in", async () => {
  const { server, shown, baseUrl } = provider();
  await using gateway = testGateway();
  const ask = (body: object, headers: Record<string, string> = { authorization: `Bearer ${gateway.token}` }) =>
    fetch(`${gateway.origin}/api/key-check`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  try {
    assert.equal((await ask({ key: "good", baseUrl }, {})).status, 401);
    assert.deepEqual(shown, []);
    assert.deepEqual(await (await ask({ key: "good", baseUrl })).json(), { verdict: "good", models: ["one"] });
    assert.deepEqual(await (await ask({ key: "bad", baseUrl })).json(), {
      verdict: "refused",
      reason: "HTTP 401: Incorrect API key",
    });
    const moved = (await (await ask({ key: "moved", baseUrl })).json()) as { verdict: string };
    assert.equal(moved.verdict, "unknown");
    assert.deepEqual(shown, ["/v1/models Bearer good", "/v1/models Bearer bad", "/v1/models Bearer moved"]);
    assert.equal((await ask({ key: "good", baseUrl: "file:///etc/passwd" })).status, 400);
    assert.equal((await ask({ key: "good\r\nx: y", baseUrl })).status, 400);
  } finally {
    await server.stop(true);
  }
});
