import assert from "node:assert/strict";
import { test } from "node:test";
import { aResponse, aThread, FakeGateway } from "./support/fake-gateway.ts";

const turn = (id: string, status: string) => ({ id, status, items: [], itemsView: "full" });

test("a mode goes with the turn as a whole, with the model and effort that hold, and is remembered", async () => {
  const thread = aThread("t1");
  const modes = [
    { name: "Plan", mode: "plan", model: null, reasoning_effort: "medium" },
    { name: "Default", mode: "default", model: null, reasoning_effort: null },
  ];
  const gateway = new FakeGateway({
    "thread/start": () => aResponse(thread),
    "turn/start": () => ({ turn: turn("u1", "completed") }),
    "collaborationMode/list": () => ({ data: modes }),
  });
  await gateway.open();
  assert.deepEqual(gateway.store.getState().hubs[0]?.modes, modes);
  const opened = await gateway.actions.newThread("h1");
  await gateway.actions.send(opened, [], {});
  await gateway.actions.send(opened, [], { mode: "plan" });
  await gateway.actions.send(opened, [], { mode: "default", model: "other", effort: "high" });
  const sent = gateway.asked.filter(({ method }) => method === "turn/start").map(({ params }) => params);
  const settings = { developer_instructions: null, model: "mock-model", reasoning_effort: "medium" };
  assert.deepEqual(
    sent.map(({ collaborationMode, mode }) => [collaborationMode, mode]),
    [
      [undefined, undefined],
      [{ mode: "plan", settings }, undefined],
      [{ mode: "default", settings: { ...settings, model: "other", reasoning_effort: "high" } }, undefined],
    ],
  );
  await gateway.settle();
  assert.equal(gateway.thread("t1").settings.mode, "default");
  const threadSettings = { ...settings, collaborationMode: { mode: "plan", settings } };
  gateway.notify("thread/settings/updated", { threadId: "t1", threadSettings });
  await gateway.settle();
  assert.equal(gateway.thread("t1").settings.mode, "plan");
});
