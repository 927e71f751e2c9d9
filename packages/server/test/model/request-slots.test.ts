import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, fakeClock, gate } from "@quire/testkit";
import { maxModelRequests, RequestSlots } from "../../src/model/request-slots.ts";
import { ask } from "./ask-provider.ts";

test("a request beyond the runtime's limit waits for its turn, and its wait is no silence of the model", async () => {
  const more = 40;
  const [early, late] = [gate(), gate()];
  let arrived = 0;
  const completed = 'data: {"type":"response.completed","response":{"id":"r"}}\n\n';
  using model = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch() {
      await (++arrived > maxModelRequests ? late : early);
      return new Response(completed, { headers: { "content-type": "text/event-stream" } });
    },
  });
  const clock = fakeClock();
  const row = { streamIdleTimeoutMs: 1000 };
  const turns = Array.from({ length: maxModelRequests + more }, () => ask(model.url.href, { row, options: { clock } }));
  await eventually(() => arrived === maxModelRequests, { what: "as many requests as may be at once" });
  clock.advance(900);
  early.open();
  await eventually(() => arrived === turns.length, { what: "the others" });
  await Promise.all(turns.slice(0, maxModelRequests));
  clock.advance(200);
  late.open();
  await Promise.all(turns);
});

test("slots are given in order, and not to requests that were aborted", async () => {
  const slots = new RequestSlots(1);
  const { signal } = new AbortController();
  const gone = new AbortController();
  const first = await slots.take(signal);
  const aborted = slots.take(gone.signal);
  const second = slots.take(signal);
  gone.abort(new Error("interrupted"));
  await assert.rejects(aborted, /interrupted/);
  await assert.rejects(slots.take(gone.signal), /interrupted/);
  first();
  (await second)();
  (await slots.take(signal))();
});
