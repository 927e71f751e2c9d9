/** The time that a model is told, by the clock of the client. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type MockResponses, reply } from "@quire/testkit";
import { testServer } from "../../support/test-server.ts";

const reminders = (model: MockResponses) =>
  [...JSON.stringify(model.last?.body.input).matchAll(/It is ([\d :-]+) UTC\.<\/current_time_reminder>/g)].map(
    ([, time]) => time,
  );

async function clocked(settings: string) {
  const table = ["[features.current_time_reminder]", "enabled = true", 'clock_source = "external"', settings];
  const server = await testServer({ config: { toml: table.join("\n") } });
  const clock = { now: 1_781_717_655, reads: 0 };
  const connect = async () => {
    const client = await server.connect();
    client.handle("currentTime/read", () => {
      clock.reads += 1;
      return { currentTimeAt: clock.now };
    });
    return client;
  };
  return { ...server, clock, connect };
}

test("the model is reminded when its interval has passed by the client's clock, and not before", async () => {
  await using it = await clocked("reminder_interval_seconds = 60");
  const talk = await it.connect();
  const threadId = await talk.thread();
  for (const passed of [0, 59, 1]) {
    it.clock.now += passed;
    await talk.turn(threadId);
  }
  assert.deepEqual(reminders(it.model), ["2026-06-17 17:34:15", "2026-06-17 17:35:15"]);
  assert.match(JSON.stringify(it.model.last?.body.input), /<current_date>2026-06-1[678]</);
});

test("the clocks of two clients are not mixed: the turn fails and says so", async () => {
  await using it = await clocked("");
  const [first, second] = [await it.connect(), await it.connect()];
  const threadId = await first.thread();
  await first.turn(threadId);
  await second.request("thread/resume", { threadId });
  const { status, error } = await first.turn(threadId);
  assert.equal(status, "failed");
  assert.match(error?.message ?? "", /2 clients are subscribed to the thread/);
  assert.equal(it.clock.reads, 1, "nobody was asked the second time");
});

test("a model that waits is woken when the client's clock says so, however fast that goes", async () => {
  await using it = await clocked("sleep_tool = true");
  const talk = await it.connect();
  const threadId = await talk.thread();
  const call = reply().functionCall("sleep", { duration_ms: 43_200_000 }, { callId: "call-1", namespace: "clock" });
  it.model.script(call, reply().text("awake"));
  const ended = talk.turn(threadId);
  const hurry = setInterval(() => {
    it.clock.now += 43_200;
  }, 50);
  try {
    assert.equal((await ended).status, "completed");
  } finally {
    clearInterval(hurry);
  }
  const { item } = await talk.waitFor("item/completed", (params) => params.item.type === "sleep");
  assert.equal(item.durationMs, 43_200_000);
  assert.match(JSON.stringify(it.model.last?.body.input), /Sleep completed/);
});
