import assert from "node:assert/strict";
import { test } from "node:test";
import { gate } from "@quire/testkit";
import { testGateway } from "../support/test-gateway.ts";
import { openPage } from "../support/test-page.ts";

test("an orchestrator gets its own token, looked up each time, and not that of the page", async () => {
  const seen: (string | null)[] = [];
  await using orchestrator = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      seen.push(request.headers.get("authorization"));
      return new Response("no", { status: request.headers.get("authorization") === "Bearer 3" ? 401 : 200 });
    },
  });
  let token = 1;
  const orchestratorToken = () => String(token++);
  await using gateway = testGateway({ orchestrator: orchestrator.url.href, orchestratorToken });
  const headers = { authorization: `Bearer ${gateway.token}` };
  const ask = () => fetch(`${gateway.origin}/orchestrator/api/v1/state`, { headers });
  assert.deepEqual([(await ask()).status, (await ask()).status], [200, 200]);
  const refused = await ask();
  assert.equal(refused.status, 502, "not 401, which a page takes for its own token being wrong");
  assert.match(await refused.text(), /same QUIRE_HOME, or set QUIRE_ORCHESTRATOR_TOKEN/);
  assert.deepEqual(seen, ["Bearer 1", "Bearer 2", "Bearer 3"]);
});

test("an orchestrator's status is there for pages, and learns nothing of the token", async () => {
  const seen: string[] = [];
  const orchestrator = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      assert.equal(request.headers.get("cookie") ?? request.headers.get("authorization"), null);
      seen.push(`${request.method} ${pathname}${search} ${await request.text()}`);
      if (pathname === "/api/away") return Response.redirect("http://example.org/");
      return new Response("<script>alert(1)</script>", {
        status: pathname === "/api/none" ? 404 : 200,
        headers: { "content-type": "text/html", "set-cookie": "a=b", "access-control-allow-origin": "*" },
      });
    },
  });
  try {
    await using gateway = testGateway({ orchestrator: orchestrator.url.href });
    const headers = { authorization: `Bearer ${gateway.token}`, "content-type": "application/json" };
    const at = `${gateway.origin}/orchestrator`;
    const answer = await fetch(`${at}/api/state?full=1`, { headers });
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), "<script>alert(1)</script>");
    assert.equal(answer.headers.get("content-security-policy"), "default-src 'none'; sandbox");
    assert.equal(answer.headers.get("set-cookie") ?? answer.headers.get("access-control-allow-origin"), null);
    await fetch(`${at}/api/refresh`, { method: "POST", headers, body: '{"a":1}' });
    assert.equal((await fetch(`${at}/api/none`, { headers })).status, 404);
    assert.equal((await fetch(`${at}/api/away`, { headers, redirect: "manual" })).headers.get("location"), null);
    assert.equal((await fetch(`${at}/x`, { method: "DELETE", headers })).status, 405);
    assert.deepEqual(seen.slice(0, 3), ["GET /api/state?full=1 ", 'POST /api/refresh {"a":1}', "GET /api/none "]);
    await using page = await openPage(gateway);
    const [welcome] = page.frames;
    assert.equal(welcome?.type === "welcome" && welcome.orchestrator, "/orchestrator");
    await orchestrator.stop(true);
    const gone = await fetch(`${at}/api/state`, { headers });
    assert.equal(gone.status, 502);
    assert.match(await gone.text(), /does not answer.*Check that it runs/);
  } finally {
    await orchestrator.stop(true);
  }
});

test("an orchestrator's events come as they happen, and end with who listens", async () => {
  const more = gate();
  const left = gate();
  const orchestrator = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      assert.equal(request.headers.get("origin"), null);
      request.signal.addEventListener("abort", () => left.open());
      const events = async function* () {
        yield "data: first\n\n";
        await more;
        yield "data: second\n\n";
        await left;
      };
      return new Response(events(), { headers: { "content-type": "text/event-stream" } });
    },
  });
  try {
    await using gateway = testGateway({ orchestrator: orchestrator.url.href });
    const { origin, token } = gateway;
    const listening = new AbortController();
    const answer = await fetch(`${origin}/orchestrator/api/v1/events`, {
      headers: { authorization: `Bearer ${token}`, origin },
      signal: listening.signal,
    });
    assert.equal(answer.headers.get("content-type"), "text/event-stream");
    const reader = answer.body?.getReader();
    const next = async () => new TextDecoder().decode((await reader?.read())?.value);
    assert.equal(await next(), "data: first\n\n");
    more.open();
    assert.equal(await next(), "data: second\n\n");
    listening.abort();
    await left;
  } finally {
    await orchestrator.stop(true);
  }
});

test("without an orchestrator there is none", async () => {
  await using gateway = testGateway();
  const headers = { authorization: `Bearer ${gateway.token}` };
  assert.equal((await fetch(`${gateway.origin}/orchestrator/api/state`, { headers })).status, 404);
});
