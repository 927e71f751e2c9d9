/** Where coming back fails, or what was lost stays lost: an error says so, and nobody waits for ever. */
import assert from "node:assert/strict";
import { type ClientState, ConnectionError } from "@quire/client";
import { gate } from "@quire/testkit";
import { brokenLine, items, loseTurn, reconnect, serveLists } from "./support/broken-line.ts";
import { collect, ends, wireTurn } from "./support/events.ts";
import { rejection, test } from "./support/test.ts";

test("a turn that the server does not know any more fails with an error that says so; the client goes on", async () => {
  await using sockets = await brokenLine((server) => {
    serveLists(server, { status: "completed", items });
    server.on("thread/turns/list", () => ({ data: [wireTurn("other", "completed")], nextCursor: null }));
  });
  await using fixture = await loseTurn(sockets.url);
  const error = await rejection(fixture.turn);
  assert.ok(ConnectionError.is(error));
  assert.match(error.message, /t1 is not known to the server after the reconnect/);
  assert.equal(error.mayHaveRun, true);
  assert.equal(await rejection(collect(fixture.turn)), error);
  assert.deepEqual(await fixture.client.requestUntyped("ping", {}), { pong: 1 });
});

test("a thread that cannot be resumed fails its turns with the server's reason; the client goes on", async () => {
  await using sockets = await brokenLine((server) => {
    server.on("thread/resume", (_, id) => server.refuse({ id }, { code: -32600, message: "no rollout found" }));
  });
  await using fixture = await loseTurn(sockets.url);
  const error = await rejection(fixture.turn);
  assert.ok(ConnectionError.is(error) && error.mayHaveRun);
  assert.match(error.message, /could not be resumed.*no rollout found/);
  assert.deepEqual(await fixture.client.requestUntyped("ping", {}), { pong: 1 });
});

test("a server that lists turns but refuses to list items fails the turn, not the client", async () => {
  await using sockets = await brokenLine((server) => {
    serveLists(server, { status: "completed", items });
    server.on("thread/items/list", (_, id) => server.refuse({ id }, { code: -32603, message: "disk is gone" }));
  });
  await using fixture = await loseTurn(sockets.url);
  const error = await rejection(fixture.turn);
  assert.ok(ConnectionError.is(error) && /disk is gone/.test(error.message));
  assert.deepEqual(await fixture.client.requestUntyped("ping", {}), { pong: 1 });
});

test("a line that breaks again while catching up costs the turn nothing", async () => {
  await using sockets = await brokenLine((server, index, drop) => {
    serveLists(server, { status: "completed", items });
    if (index === 1) server.on("thread/resume", drop);
    if (index === 2) server.on("thread/items/list", drop);
  });
  await using fixture = await loseTurn(sockets.url);
  const { items: all, status } = await fixture.turn;
  assert.deepEqual(
    all.map(({ id }) => id),
    ["one", "two", "three"],
  );
  assert.equal(status, "completed");
  assert.equal(sockets.sessions.length, 4);
});

test("a server that is too busy while the client catches up is asked again", async () => {
  let refusals = 0;
  await using sockets = await brokenLine((server) => {
    serveLists(server, { status: "completed", items });
    server.on("thread/turns/list", (_, id) => {
      if (refusals++ > 1) return { data: [wireTurn("t1", "completed")], nextCursor: null };
      server.refuse({ id }, { code: -32001, message: "Server overloaded; retry later." });
      return undefined;
    });
  });
  await using fixture = await loseTurn(sockets.url);
  assert.equal((await fixture.turn).items.length, 3);
});

test("a thread that the server still closes, as its last client was gone, is resumed when that is done", async () => {
  let refusals = 0;
  await using sockets = await brokenLine((server) => {
    serveLists(server, { status: "completed", items });
    server.on("thread/resume", (_, id) => {
      if (refusals++ > 1) return { thread: { id: "thread", turns: [] } };
      const message = "thread thread is closing; retry thread/resume after the thread is closed";
      server.refuse({ id }, { code: -32600, message });
      return undefined;
    });
  });
  await using fixture = await loseTurn(sockets.url);
  assert.equal((await fixture.turn).items.length, 3);
  assert.equal(refusals, 3);
});

test("a server that does not come back is given up after so many tries, and all who wait are told", async () => {
  const sockets = await brokenLine((_, __, drop) => drop());
  const states: ClientState[] = [];
  let heard: unknown;
  await using fixture = await loseTurn(sockets.url, { reconnect: { ...reconnect, attempts: 3 } }, (client) => {
    client.on("state", (state) => states.push(state));
    client.on("error", (error) => {
      heard = error;
    });
  });
  const { client, turn } = fixture;
  const waiting = rejection(client.requestUntyped("ping", {}));
  const error = await rejection(turn);
  assert.ok(ConnectionError.is(error) && error.code === "closed" && error.mayHaveRun);
  assert.match(error.message, /did not come back after 3 tries/);
  assert.equal(await rejection(collect(turn)), error);
  const call = await waiting;
  assert.ok(ConnectionError.is(call) && /3 tries/.test(call.message));
  assert.equal(call.mayHaveRun, false, "what never went out can be sent elsewhere");
  assert.deepEqual(states, ["reconnecting", "closed"]);
  assert.equal(sockets.sessions.length, 4);
  assert.equal(heard, await client.ended);
  await sockets.close();
});

test("a server that is gone for good is given up too", async () => {
  const sockets = await brokenLine(() => undefined);
  const { client, turn } = await loseTurn(sockets.url, {
    reconnect: { attempts: 3, baseMs: 20, maxMs: 20 },
  });
  await sockets.close();
  const error = await rejection(turn);
  assert.ok(ConnectionError.is(error) && error.mayHaveRun);
  assert.equal(client.state, "closed");
  await client.close();
});

test("with reconnect: false a lost line is the end", async () => {
  await using sockets = await brokenLine(() => undefined);
  await using fixture = await loseTurn(sockets.url, { reconnect: false });
  const error = await rejection(fixture.turn);
  assert.ok(ConnectionError.is(error) && error.code === "closed" && error.mayHaveRun);
  assert.equal(fixture.client.state, "closed");
  assert.equal(sockets.sessions.length, 1);
});

test("a call that waits for the line to come back keeps to its own time, and says that it was not sent", async () => {
  const hold = gate();
  await using sockets = await brokenLine((server) => {
    serveLists(server, { status: "completed", items });
    server.on("initialize", (_, id) => {
      void hold.then(() => server.reply({ id }, { userAgent: "quire/0.166.0" }));
      return undefined;
    });
  });
  await using fixture = await loseTurn(sockets.url);
  const { client, turn } = fixture;
  const late = await rejection(client.requestUntyped("ping", {}, { timeoutMs: 20 }));
  assert.ok(ConnectionError.is(late) && late.code === "timeout" && !late.mayHaveRun);
  assert.match(late.message, /reconnecting/);
  const endless = client.requestUntyped("ping", {}, { timeoutMs: Number.POSITIVE_INFINITY });
  const controller = new AbortController();
  const aborted = rejection(client.requestUntyped("ping", {}, { signal: controller.signal }));
  controller.abort("no longer wanted");
  assert.equal(await aborted, "no longer wanted");
  hold.open();
  assert.equal((await turn).status, "completed");
  assert.deepEqual(await endless, { pong: 1 });
  assert.equal(sockets.sessions[1]?.server.calls("ping").length, 1);
});

test("close() while reconnecting ends at once: the turn, the calls, and the tries", async () => {
  await using sockets = await brokenLine((server) => server.on("initialize", () => undefined));
  await using fixture = await loseTurn(sockets.url);
  const { client, turn } = fixture;
  await (await sockets.session(1)).server.waitFor("initialize");
  const waiting = rejection(client.requestUntyped("ping", {}));
  await client.close();
  for (const error of [await rejection(turn), await waiting]) assert.ok(ConnectionError.is(error));
  assert.equal(sockets.sessions.length, 2);
});

test("a turn aborted while the line is down is stopped as soon as it is back", async () => {
  const controller = new AbortController();
  await using sockets = await brokenLine((server) => {
    serveLists(server, { status: "inProgress", items: [items[0]] });
    server.on("turn/interrupt", (_, id) => {
      server.reply({ id }, {});
      server.play("t1", ends("t1", "interrupted"));
      return undefined;
    });
  });
  await using fixture = await loseTurn(sockets.url, { abort: controller.signal });
  controller.abort(new Error("changed my mind"));
  assert.equal(((await rejection(fixture.turn)) as Error).message, "changed my mind");
  const { server } = await sockets.session(1);
  await server.waitFor("turn/interrupt");
  assert.deepEqual(
    server.calls("turn/interrupt").map(({ params }) => params),
    [{ threadId: "thread", turnId: "t1" }],
  );
});
