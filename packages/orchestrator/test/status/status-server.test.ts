import assert from "node:assert/strict";
import { chmodSync, existsSync, statSync } from "node:fs";
import { request as rawRequest } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { readTokenFile, serveOwnStatus } from "@quire/orchestrator";
import { eventually, tempDir } from "@quire/testkit";
import { SnapshotError } from "../../src/events/control.ts";
import { serveStatus } from "../../src/status/status-server.ts";
import { FakeControl, run } from "../support/fake-control.ts";

function stage() {
  const control = new FakeControl();
  const server = serveStatus(control, { port: 0 });
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const ask = (path: string, init?: RequestInit) => fetch(new URL(path, server.url), { headers, ...init });
  return { control, server, ask, [Symbol.asyncDispose]: () => server.stop() };
}

async function errorOf(response: Response) {
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  assert.equal(typeof error.message, "string");
  return [response.status, error.code];
}

test("GET /api/v1/state gives the state in the reference's shape", async () => {
  await using s = stage();
  const response = await s.ask("/api/v1/state");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "application/json;charset=utf-8");
  const state = (await response.json()) as Record<string, Record<string, unknown>[]>;
  assert.equal(state.generated_at, "2026-02-24T20:15:30.000Z");
  assert.deepEqual(state.counts, { running: 1, retrying: 1, blocked: 1, finished: 1, waiting: 0 });
  const [running] = state.running ?? [];
  for (const [key, value] of Object.entries({
    issue_id: "abc123",
    issue_identifier: "MT-649",
    issue_url: "https://tracker.example/issues/MT-649",
    state: "In Progress",
    session_id: "thread-1-turn-1",
    turn_count: 7,
    last_event: "turn_completed",
    last_message: "Working on tests",
    started_at: "2026-02-24T20:10:18.000Z",
    last_event_at: "2026-02-24T20:14:59.000Z",
    tokens: { input_tokens: 1200, output_tokens: 800, total_tokens: 2000 },
  })) {
    assert.deepEqual(running?.[key], value, key);
  }
  const [retrying] = state.retrying ?? [];
  assert.equal(retrying?.attempt, 3);
  assert.equal(retrying?.due_at, "2026-02-24T20:16:00.000Z");
  assert.equal(retrying?.error, "no available orchestrator slots");
  const threads = ["running", "retrying", "blocked", "finished"].map((list) => state[list]?.[0]?.thread_id);
  assert.deepEqual(threads, ["thread-1", "thread-2", "thread-3", "thread-0"], "the way into the thread of each");
  const totals = { input_tokens: 5000, output_tokens: 2400, total_tokens: 7400, seconds_running: 1834.2 };
  assert.deepEqual(state.codex_totals, totals);
  assert.equal(state.rate_limits, null);
});

test("GET /api/v1/<identifier> gives one issue, or 404 issue_not_found", async () => {
  await using s = stage();
  s.control.change({ running: [run(), run({ identifier: "A B/C" }), run({ identifier: "state" })] });
  const detail = (await (await s.ask("/api/v1/MT-649")).json()) as Record<string, unknown>;
  assert.equal(detail.status, "running");
  assert.deepEqual(detail.workspace, { path: "/work/MT-649" });
  assert.deepEqual(detail.attempts, { restart_count: 1, current_retry_attempt: 1, runs: 2 });
  assert.equal(detail.retry, null);
  assert.equal(detail.last_error, null);
  const at = "2026-02-24T20:14:59.000Z";
  const events = [{ at, event: "notification", message: "Working on tests", name: "item/completed", run: 2 }];
  assert.deepEqual(detail.recent_events, events);
  for (const path of ["/api/v1/A%20B%2FC", "/api/v1/issues/state"]) assert.equal((await s.ask(path)).status, 200, path);
  assert.deepEqual(await errorOf(await s.ask("/api/v1/MT-1")), [404, "issue_not_found"]);
  assert.deepEqual(await errorOf(await s.ask("/api/v1/%E0%A4%A")), [404, "not_found"]);
});

test("POST /api/v1/refresh is accepted, and says whether it was coalesced", async () => {
  await using s = stage();
  for (const coalesced of [false, true]) {
    const response = await s.ask("/api/v1/refresh", { method: "POST", body: "{}" });
    assert.equal(response.status, 202);
    const expected = {
      queued: true,
      coalesced,
      requested_at: "2026-02-24T20:15:30.000Z",
      operations: ["poll", "reconcile"],
    };
    assert.deepEqual(await response.json(), expected);
  }
});

test("pause, resume, retry and stop reach the orchestrator, and say when they cannot", async () => {
  await using s = stage();
  const post = (path: string) => s.ask(`/api/v1/${path}`, { method: "POST" });
  assert.deepEqual(await (await post("pause")).json(), { mode: "paused" });
  assert.deepEqual(await (await post("resume")).json(), { mode: "running" });
  assert.equal((await post("MT-650/retry")).status, 202);
  assert.equal((await post("MT-649/stop")).status, 202);
  assert.deepEqual(s.control.commands, ["pause", "resume", "retry MT-650", "stop MT-649"]);
  assert.deepEqual(await errorOf(await post("MT-649/retry")), [409, "not_applicable"]);
  assert.deepEqual(await errorOf(await post("MT-1/stop")), [404, "issue_not_found"]);
});

test("other methods get 405 with those that are possible; unknown paths 404", async () => {
  await using s = stage();
  for (const [method, path, allow] of [
    ["POST", "/api/v1/state", "GET"],
    ["GET", "/api/v1/refresh", "POST"],
    ["DELETE", "/api/v1/MT-649", "GET"],
    ["GET", "/api/v1/MT-649/stop", "POST"],
    ["PUT", "/", "GET"],
    ["POST", "/api/v1/events", "GET"],
  ] as const) {
    const response = await s.ask(path, { method });
    assert.equal(response.headers.get("allow"), allow, path);
    assert.deepEqual(await errorOf(response), [405, "method_not_allowed"]);
  }
  for (const path of ["/nothing", "/api/v1/", "/api/v1/a/b/c", "/api/v2/state"]) {
    assert.deepEqual(await errorOf(await s.ask(path)), [404, "not_found"], path);
  }
});

test("an orchestrator without a state answers so", async () => {
  await using s = stage();
  s.control.fails = new SnapshotError("unavailable", "The orchestrator has ended.");
  assert.deepEqual(await errorOf(await s.ask("/api/v1/state")), [503, "unavailable"]);
  s.control.fails = new SnapshotError("timeout", "The orchestrator does not answer.");
  assert.deepEqual(await errorOf(await s.ask("/api/v1/state")), [504, "timeout"]);
});

test("requests of other sites and under other names are refused, also from a page that was lured here", async () => {
  await using s = stage();
  const { port } = s.server;
  const asked = (headers: Record<string, string>, method = "POST") =>
    new Promise<number>((resolve, reject) => {
      const path = method === "GET" ? "/api/v1/state" : "/api/v1/pause";
      const known = { authorization: `Bearer ${s.server.token}`, "content-type": "application/json", ...headers };
      const request = rawRequest({ host: "127.0.0.1", port, path, method, headers: known }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      request.on("error", reject);
      request.end();
    });
  const own = `127.0.0.1:${port}`;
  for (const headers of [
    { host: `evil.example:${port}` },
    { host: "127.0.0.1:1" },
    { host: own, origin: "http://evil.example" },
    { host: own, origin: "null" },
    { host: own, origin: "http://127.0.0.1:1" },
    { host: own, origin: `https://127.0.0.1:${port}` },
    { host: own, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
  ]) {
    assert.equal(await asked(headers), 403, JSON.stringify(headers));
  }
  assert.deepEqual(s.control.commands, []);
  for (const headers of [
    { host: own },
    { host: `localhost:${port}`, origin: `http://localhost:${port}` },
    { host: `[::1]:${port}` },
    { host: own, "sec-fetch-site": "same-origin" },
  ]) {
    assert.equal(await asked(headers), 202, JSON.stringify(headers));
  }
  assert.equal(await asked({ host: own, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }, "GET"), 200);
  assert.equal(await asked({ host: own, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }, "GET"), 403);
});

test("who does not know the token learns nothing and changes nothing; the page at / holds nothing of the state", async () => {
  await using s = stage();
  const json = { "content-type": "application/json" };
  for (const authorization of ["", "Bearer ", "Bearer nope", `Basic ${s.server.token}`, `Bearer ${s.server.token}x`]) {
    const headers = { ...json, ...(authorization !== "" && { authorization }) };
    for (const path of ["/api/v1/state", "/api/v1/events", "/api/v1/MT-649", "/dashboard", "/nothing"]) {
      assert.deepEqual(await errorOf(await s.ask(path, { headers })), [401, "unauthorized"], path);
    }
    for (const path of ["/api/v1/pause", "/"]) {
      assert.deepEqual(await errorOf(await s.ask(path, { headers, method: "POST" })), [401, "unauthorized"], path);
    }
  }
  assert.deepEqual(s.control.commands, []);
  for (const path of ["/", "/dashboard.js", "/dashboard.css"]) {
    const answer = await s.ask(path, { headers: {} });
    assert.equal(answer.status, 200);
    assert.doesNotMatch(await answer.text(), /MT-649|token=[^"]/);
  }
  const plain = { authorization: `Bearer ${s.server.token}`, "content-type": "text/plain" };
  assert.equal((await s.ask("/api/v1/pause", { method: "POST", headers: plain })).status, 415);
});

test("a token that can be guessed is refused", () => {
  for (const token of ["", "short", "with blanks in it, long", "x".repeat(15)]) {
    assert.throws(() => serveStatus(new FakeControl(), { port: 0, token }), /at least 16 printable characters/);
  }
});

test("the token lies in a file for its owner alone, and goes with the server", async () => {
  await using dir = await tempDir();
  const env = { QUIRE_HOME: join(dir.path, "home") };
  const server = serveOwnStatus(new FakeControl(), { port: 0, env });
  assert.equal(readTokenFile(server.port, env), server.token);
  assert.equal(statSync(server.tokenFile).mode & 0o777, 0o600);
  assert.equal(statSync(join(dir.path, "home", "orchestrator")).mode & 0o777, 0o700);
  chmodSync(server.tokenFile, 0o644);
  assert.equal(readTokenFile(server.port, env), undefined, "not one that others could have read");
  chmodSync(server.tokenFile, 0o600);
  await server.stop();
  assert.ok(!existsSync(server.tokenFile));
  const chosen = { ...env, QUIRE_ORCHESTRATOR_TOKEN: "0123456789abcdef" };
  await using other = serveOwnStatus(new FakeControl(), { port: 0, env: chosen });
  assert.equal(other.token, "0123456789abcdef");
});

test("server-sent events bring the state at once and after each change, and let go when the reader leaves", async () => {
  await using s = stage();
  const leave = new AbortController();
  const response = await s.ask("/api/v1/events", { signal: leave.signal });
  assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
  let text = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  })().catch(() => {});
  const states = () =>
    [...text.matchAll(/^event: state\ndata: (.*)\n\n/gm)].map(([, data = ""]) => JSON.parse(data) as { mode: string });
  await eventually(() => states().length === 1);
  s.control.change({ mode: "paused" });
  await eventually(() => states().at(-1)?.mode === "paused");
  // Many changes at once are few events, and the last one is told.
  for (let index = 0; index < 100; index++) s.control.change({ mode: index === 99 ? "draining" : "running" });
  await eventually(() => states().at(-1)?.mode === "draining");
  assert.ok(states().length <= 5, `${states().length} events`);
  leave.abort();
  await reading;
  await eventually(() => s.control.listeners.size === 0);
});

test("stopping ends the streams that are open", async () => {
  await using s = stage();
  const response = await s.ask("/api/v1/events");
  const ended = response.text().catch(() => "cut");
  await s.server.stop();
  await ended;
  assert.equal(s.control.listeners.size, 0);
});

test("the dashboard shows everything and runs no text of a tracker", async () => {
  await using s = stage();
  s.control.change({
    running: [run({ title: "<script>alert(1)</script>", url: "javascript:alert(1)" })],
    health: { ...s.control.state.health, trackerError: { code: "tracker_request", message: "It is down." } },
    rateLimits: { primary: { usedPercent: 42.4, windowDurationMins: 300, resetsAt: null } },
  });
  const response = await s.ask("/dashboard");
  const page = await response.text();
  assert.match(response.headers.get("content-security-policy") ?? "", /script-src 'self';/);
  for (const shown of [
    "MT-649",
    "MT-650",
    "MT-651",
    "MT-600",
    "approval_required",
    "It is down.",
    "7,400 tokens",
    "limits used: 42%",
  ]) {
    assert.ok(page.includes(shown), shown);
  }
  assert.ok(
    page.includes("&lt;script&gt;alert(1)") && !page.includes("<script>alert") && !page.includes("javascript:"),
  );
  for (const path of ["/dashboard.js", "/dashboard.css"]) assert.equal((await s.ask(path)).status, 200);
});

test("a port that is taken is an error, not a silent absence", async () => {
  await using s = stage();
  assert.throws(() => serveStatus(s.control, { port: s.server.port }), /EADDRINUSE|in use/);
});

test("GET /metrics gives numbers for Prometheus to who has the token, GET /healthz a word to everybody", async () => {
  await using s = stage();
  const metrics = await s.ask("/metrics");
  assert.equal(metrics.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  const text = await metrics.text();
  assert.match(text, /^# TYPE quire_orchestrator_running gauge\nquire_orchestrator_running 1$/m);
  assert.match(text, /^quire_orchestrator_input_tokens_total 5000$/m);
  assert.equal((await fetch(new URL("/metrics", s.server.url))).status, 401);
  const health = await fetch(new URL("/healthz", s.server.url));
  assert.deepEqual([health.status, await health.text()], [200, "ok\n"]);
  assert.equal((await fetch(new URL("/healthz", s.server.url), { method: "POST" })).status, 401);
});
