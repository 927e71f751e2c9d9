/** A connection lost in the middle of a turn: each item is seen once, and the end for certain. */
import assert from "node:assert/strict";
import { type ClientState, ConnectionError, TurnError, type TurnEvent, type TurnHandle } from "@quire/client";
import { codexVersion } from "@quire/protocol/version";
import { brokenLine, items, loseTurn, serveLists, serveTurnsOnly, serveWholeThread } from "./support/broken-line.ts";
import { begins, collect, completes, ends, kinds, wireTurn } from "./support/events.ts";
import { rejection, test } from "./support/test.ts";

const [one, two, three] = items;
const live = [begins(three), completes(three), ends("t1")];

async function assertWhole(turn: TurnHandle, ids: readonly string[]): Promise<void> {
  const events = await collect(turn);
  assert.deepEqual(completed(events), ids);
  assert.equal(kinds(events).at(-1), "turn.completed");
  const { items: all, agentMessage, status } = await turn;
  assert.deepEqual(
    all.map(({ id }) => id),
    ids,
  );
  assert.equal(agentMessage, "Done.");
  assert.equal(status, "completed");
}

function completed(events: readonly TurnEvent[]): string[] {
  return events.flatMap((event) => (event.type === "item.completed" ? [event.item.id] : []));
}

for (const { version, serve, second, third } of [
  { version: codexVersion, serve: serveLists, second: "two", third: "three" },
  { version: "0.148.0", serve: serveTurnsOnly, second: "item-2", third: "item-3" },
  { version: "0.118.0", serve: serveWholeThread, second: "item-2", third: "item-3" },
]) {
  test(`${version}: a turn that ended while the line was down is told to its end, each item once`, async () => {
    await using sockets = await brokenLine((server) => serve(server, { status: "completed", items }), version);
    await using fixture = await loseTurn(sockets.url);
    await assertWhole(fixture.turn, ["one", second, third]);
  });

  test(`${version}: a turn that still runs when the line is back goes on with live events`, async () => {
    await using sockets = await brokenLine(
      (server) => serve(server, { status: "inProgress", items: [one, two] }),
      version,
    );
    await using fixture = await loseTurn(sockets.url);
    assert.deepEqual(await fixture.client.requestUntyped("ping", {}), { pong: 1 }, "it waits until the line is back");
    sockets.sessions[1]?.server.play("t1", ...live);
    await assertWhole(fixture.turn, ["one", second, "three"]);
  });

  test(`${version}: live events that overtake the catch-up do not end the turn before its items are told`, async () => {
    await using sockets = await brokenLine((server) => {
      serve(server, { status: "inProgress", items: [one, two], early: () => server.play("t1", ...live) });
    }, version);
    await using fixture = await loseTurn(sockets.url);
    await assertWhole(fixture.turn, ["one", second, "three"]);
  });
}

test("0.110.0: a turn that died with its server, and is told as running, is interrupted", async () => {
  await using sockets = await brokenLine((server) => {
    serveWholeThread(server, { status: "inProgress", items: [one] });
    server.on("thread/read", () => ({ thread: { id: "thread", status: { type: "idle" } } }));
  }, "0.110.0");
  await using fixture = await loseTurn(sockets.url);
  assert.equal((await fixture.turn).status, "interrupted");
});

for (const status of ["completed", "inProgress"]) {
  test(`0.104.0: a turn that is told as ${status} may be either, so it fails with an error that says so`, async () => {
    await using sockets = await brokenLine((server) => serveWholeThread(server, { status, items: [one] }), "0.104.0");
    await using fixture = await loseTurn(sockets.url);
    const failure = await rejection(fixture.turn);
    assert.ok(ConnectionError.is(failure) && failure.mayHaveRun);
    assert.match(failure.message, /Codex 0\.104\.0 does not tell whether it has ended \(0\.105\.0 and later do\)/);
    assert.deepEqual(await fixture.client.requestUntyped("ping", {}), { pong: 1 }, "the client goes on");
  });
}

test("an item that is both listed and told live is seen once", async () => {
  await using sockets = await brokenLine((server) => {
    serveLists(server, { status: "inProgress", items, early: () => server.play("t1", ...live) });
  });
  await using fixture = await loseTurn(sockets.url);
  await assertWhole(fixture.turn, ["one", "two", "three"]);
});

test("a turn that failed while the line was down rejects as a failed turn does", async () => {
  const error = { message: "quota", codexErrorInfo: "usageLimitExceeded", additionalDetails: null };
  await using sockets = await brokenLine((server) => {
    serveLists(server, { status: "failed", items: [one] });
    server.on("thread/turns/list", () => ({ data: [wireTurn("t1", "failed", { error })], nextCursor: null }));
  });
  await using fixture = await loseTurn(sockets.url);
  const failure = await rejection(fixture.turn);
  assert.ok(TurnError.is(failure));
  assert.equal(failure.message, "quota");
  assert.equal(failure.codexErrorInfo, "usageLimitExceeded");
});

test("what was missed also reaches those who listen to the client, each item once", async () => {
  const heard: string[] = [];
  await using sockets = await brokenLine((server) => serveLists(server, { status: "completed", items }));
  await using fixture = await loseTurn(sockets.url, {}, (client) => {
    client.on("item:started", ({ id }) => heard.push(`begin ${id}`));
    client.on("item:completed", ({ id }) => heard.push(`end ${id}`));
    client.on("turn:completed", ({ status }) => heard.push(status));
  });
  await fixture.turn;
  assert.deepEqual(heard, ["begin one", "end one", "begin two", "end two", "begin three", "end three", "completed"]);
});

test("the states are told in order, and the call under way at the loss is not sent twice", async () => {
  const states: ClientState[] = [];
  await using sockets = await brokenLine((server) => serveLists(server, { status: "completed", items }));
  await using fixture = await loseTurn(sockets.url, {}, (client) => client.on("state", (state) => states.push(state)));
  const { client, lost } = fixture;
  assert.ok(ConnectionError.is(lost) && lost.code === "closed" && lost.mayHaveRun);
  await client.requestUntyped("ping", {});
  await client.close();
  assert.deepEqual(states, ["reconnecting", "ready", "closed"]);
  assert.deepEqual(
    sockets.sessions.map(({ server }) => server.calls("drop").length),
    [1, 0],
  );
  const second = sockets.sessions[1]?.server.received.map(({ method }) => method);
  assert.deepEqual(second?.slice(0, 3), ["initialize", "initialized", "thread/resume"]);
  assert.equal(second?.at(-1), "ping", "what waits goes last, when all has been caught up");
});
