import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, fakeClock, gate, httpError, mockResponses, reply } from "@quire/testkit";
import { type Ask, ask, failure } from "./ask-provider.ts";
import { RecordingSink } from "./recording-sink.ts";

test("a cut stream is tried again, and clients are told", async () => {
  await using mock = await mockResponses();
  mock.script(reply().text("lost", { unfinished: true }).cut(), reply().truncate(), reply().text("found"));
  const sink = new RecordingSink();
  await ask(mock.url, {
    row: { streamMaxRetries: 3 },
    options: { clock: fakeClock({ instantBelowMs: 100_000 }) },
    sink,
  });
  assert.deepEqual(
    sink.retries.map(({ error, attempt, attempts }) => [error.message, error.info, attempt, attempts]),
    [1, 2].map((n) => [`Reconnecting... ${n}/3`, { responseStreamDisconnected: { httpStatusCode: null } }, n, 3]),
  );
  assert.match(sink.retries[0]?.error.details ?? "", /^stream disconnected before completion/);
  // Whether the first words came through before the cut is up to the network; they are void in any case.
  assert.match(sink.text, /found$/);
});

test("a failing server is asked again quietly, one that is over capacity not in a new stream", async () => {
  await using mock = await mockResponses();
  const row = { requestMaxRetries: 2, streamMaxRetries: 2 };
  const clock = fakeClock({ instantBelowMs: 100_000 });
  mock.script(httpError(503), httpError(500), reply().text("ok"));
  const { sink } = await ask(mock.url, { row, options: { clock } });
  assert.deepEqual(sink.retries, []);
  mock.fallback(httpError(503, { error: { code: "server_is_overloaded" } }));
  const before = mock.requests.length;
  await failure(mock.url, { row, options: { clock } });
  assert.equal(mock.requests.length - before, 3);
});

test("Retry-After is kept, in seconds or as a date, but not for ever", async () => {
  await using mock = await mockResponses();
  const row = { requestMaxRetries: 1, streamMaxRetries: 1 };
  const clock = fakeClock({ instantBelowMs: 100_000 });
  const waits = async (status: number, value: string) => {
    clock.waits.length = 0;
    mock.script(httpError(status, undefined, { "retry-after": value }));
    await ask(mock.url, { row, options: { clock } });
    return clock.waits[0] ?? 0;
  };
  assert.equal(await waits(503, "2"), 2000);
  assert.equal(await waits(429, "3"), 3000);
  assert.equal(await waits(503, "86400"), 60_000);
  const date = await waits(503, new Date(Date.now() + 30_000).toUTCString());
  assert.ok(date > 20_000 && date <= 30_000, String(date));
});

test("a silent stream is given up after the idle time, and tried again", async () => {
  await using mock = await mockResponses();
  const hold = gate();
  mock.script(reply().text(["one", hold]), reply().text("two"));
  const clock = fakeClock({ instantBelowMs: 1000 });
  const sink = new RecordingSink();
  const done = ask(mock.url, { row: { streamIdleTimeoutMs: 5000, streamMaxRetries: 1 }, options: { clock }, sink });
  await eventually(() => sink.text === "one");
  clock.advance(4000);
  assert.equal(sink.retries.length, 0);
  clock.advance(2000);
  await done;
  assert.match(sink.retries[0]?.error.details ?? "", /no event for 5000 ms/);
  assert.equal(sink.text, "onetwo");
  assert.equal(await mock.requests[0]?.ended, "aborted");
});

test("comments alone do not keep a stream alive whose model says nothing", async () => {
  await using mock = await mockResponses();
  const pinging = reply().text(["one"], { unfinished: true });
  for (let n = 0; n < 60; n++) pinging.delay(50).raw(": ping\n\n");
  mock.script(pinging.truncate());
  await assert.rejects(ask(mock.url, { row: { streamIdleTimeoutMs: 300 } }), /no event for 300 ms/);
});

test("a reader that is slow does not count as a silent model, and holds the stream", async () => {
  await using mock = await mockResponses();
  mock.script(reply().text(["one", "two"]));
  const clock = fakeClock({ instantBelowMs: 1000 });
  const sink = new RecordingSink();
  const drained = gate();
  let held = 0;
  sink.hold = () => {
    held++;
    return Promise.resolve(drained);
  };
  const halves = gate();
  mock.fallback(reply().text(["a", halves, "b"]));
  await ask(mock.url);
  const done = ask(mock.url, { row: { streamIdleTimeoutMs: 5000 }, options: { clock }, sink });
  await eventually(() => held === 1);
  clock.advance(60_000);
  halves.open();
  assert.equal(sink.text, "a");
  drained.open();
  await done;
  assert.equal(sink.text, "ab");
});

test("an abort ends a stream, a wait and a held reader at once, with its reason", async () => {
  await using mock = await mockResponses();
  const reason = new Error("interrupted");
  const never = new Promise<void>(() => {});
  const aborted = async (how: Ask, ready: (sink: RecordingSink) => boolean) => {
    const controller = new AbortController();
    const sink = how.sink ?? new RecordingSink();
    const done = assert.rejects(
      ask(mock.url, { ...how, sink, signal: controller.signal }),
      (error) => error === reason,
    );
    await eventually(() => ready(sink));
    controller.abort(reason);
    await done;
  };
  mock.script(reply().text(["one", never]));
  await aborted({}, (sink) => sink.text === "one");
  assert.equal(await mock.last.ended, "aborted");

  mock.script(reply().cut());
  await aborted({ row: { streamMaxRetries: 5 }, options: { clock: fakeClock() } }, (sink) => sink.retries.length === 1);

  let held = false;
  const sink = new RecordingSink();
  sink.hold = () => {
    held = true;
    return never;
  };
  mock.script(reply().text(["one", never]));
  await aborted({ sink }, () => held);

  await assert.rejects(ask(mock.url, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
});

test("an abort ends a wait for a login, for its renewal and for who vouches for it", async () => {
  await using mock = await mockResponses();
  mock.fallback(httpError(401));
  const reason = new Error("interrupted");
  const token = async () => "token";
  const stopAt = (given: (never: () => Promise<never>) => Ask["options"]): Promise<void> => {
    const stop = new AbortController();
    const never = () => {
      queueMicrotask(() => stop.abort(reason));
      return new Promise<never>(() => {});
    };
    const options = given(never);
    const asked = ask(mock.url, {
      row: { requiresOpenaiAuth: true },
      ...(options && { options }),
      signal: stop.signal,
    });
    return assert.rejects(asked, (error) => error === reason);
  };
  await stopAt((never) => ({ auth: never }));
  await stopAt((never) => ({ auth: token, attest: never }));
  await stopAt((never) => ({ auth: token, renewAuth: never }));
});

test("what a sink throws ends the request and reaches the caller", async () => {
  await using mock = await mockResponses();
  mock.script(reply().text(["one", new Promise<void>(() => {})]));
  const sink = new RecordingSink();
  const bug = new Error("bug");
  sink.textDelta = () => {
    throw bug;
  };
  await assert.rejects(ask(mock.url, { sink, row: { streamMaxRetries: 3 } }), (error) => error === bug);
  assert.equal(await mock.last.ended, "aborted");
});

test("no timer is left behind by a request", async () => {
  await using mock = await mockResponses();
  const clock = fakeClock();
  await ask(mock.url, { options: { clock } });
  await eventually(() => clock.pending === 0);
});
