import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allow,
  provide,
  RestoreError,
  resourceKey,
  Session,
  supply,
  ToolInvoked,
  ToolResult,
  tool,
} from "@quire/agent";
import { beginTransaction, type Snapshotable } from "@quire/agent/tools";
import { eventually, gate, random } from "@quire/testkit";
import { z } from "zod";
import { bridgeOf } from "../support/bridge.ts";
import { Note, Plan, StepAdded } from "../support/records.ts";

/** A store whose changes can be taken back. */
class Store implements Snapshotable {
  content: string[] = [];
  readonly log: string[] = [];

  snapshot(): string[] {
    this.log.push("snapshot");
    return [...this.content];
  }

  async restore(state: unknown): Promise<void> {
    this.log.push("restore");
    this.content = [...(state as string[])];
  }
}

const StoreKey = resourceKey<Store>("store");

const writer = (end: () => ToolResult) =>
  tool({
    name: "write",
    description: "Writes",
    run: async (_, { session, resources }) => {
      session.dispatch(StepAdded({ step: "x" }));
      session.dispatch(Note({ text: "a log" }));
      (await resources.get(StoreKey)).content.push("x");
      return end();
    },
  });

test("5.1: a call that succeeds keeps what it did in session and resources, one that fails keeps nothing but logs", async () => {
  const store = new Store();
  const session = new Session();
  const define = { resources: [supply(StoreKey, store)] };
  await using good = await bridgeOf({ tools: [writer(() => ToolResult.ok())], session, define });
  await good.call("write");
  assert.deepEqual([session.slice(StepAdded).size, store.content], [1, ["x"]]);
  await using bad = await bridgeOf({ tools: [writer(() => ToolResult.error("no"))], session, define });
  assert.equal((await bad.call("write")).text, "no");
  assert.deepEqual([session.slice(StepAdded).size, store.content], [1, ["x"]]);
  assert.equal(session.slice(Note).size, 2);
  assert.equal(session.slice(ToolInvoked).size, 2);
});

test("5.1: the event of a failed call is dispatched after the roll-back, that of a successful one with its changes", async () => {
  const session = new Session();
  const sizes: number[] = [];
  session.dispatcher.subscribe(ToolInvoked, () => sizes.push(session.slice(StepAdded).size));
  const define = { resources: [supply(StoreKey, new Store())] };
  let fails = true;
  const either = writer(() => (fails ? ToolResult.error("no") : ToolResult.ok()));
  await using bridge = await bridgeOf({ tools: [either], session, define });
  await bridge.call("write");
  fails = false;
  await bridge.call("write");
  assert.deepEqual(sizes, [0, 1]);
});

test("5.2: a transaction covers the session and the resources that exist and can be rolled back, session first", async () => {
  const session = new Session();
  const order: string[] = [];
  const noting = (name: string) => ({
    snapshot: () => name,
    restore: (state: unknown) => void order.push(`${state} after ${session.slice(Plan).size}`),
  });
  session.seed(Plan({ id: "a", steps: [] }));
  const transaction = await beginTransaction({
    tag: "tool:t",
    session,
    resources: [
      [{ name: "one" }, noting("one")],
      [{ name: "plain" }, { snapshot: "no function" }],
      [{ name: "half" }, { snapshot: () => assert.fail() }],
      [{ name: "two" }, noting("two")],
    ],
  });
  assert.equal(transaction.tag, "tool:t");
  session.slice(Plan).append(Plan({ id: "b", steps: [] }));
  await transaction.rollBack();
  assert.deepEqual(order, ["one after 1", "two after 1"]);
});

test("5.2: a resource that nobody has asked for is not made for the sake of a snapshot", async () => {
  let made = 0;
  const store = new Store();
  const Lazy = resourceKey<Store>("lazy");
  const define = {
    resources: [
      supply(StoreKey, store),
      provide(Lazy, {
        create: () => {
          made += 1;
          return new Store();
        },
      }),
    ],
  };
  await using bridge = await bridgeOf({ tools: [writer(() => ToolResult.error("no"))], define });
  await bridge.call("write");
  assert.equal(made, 0);
  assert.deepEqual(store.log, ["snapshot", "restore"]);
});

test("5.2: what cannot be taken back is told as such, after all else was taken back", async () => {
  const session = new Session();
  const store = new Store();
  const Broken = resourceKey<Snapshotable>("broken");
  const broken = {
    snapshot: () => 1,
    restore: () => {
      throw new Error("stuck");
    },
  };
  const told: RestoreError[] = [];
  await using bridge = await bridgeOf({
    tools: [writer(() => ToolResult.error("no"))],
    session,
    define: { resources: [supply(Broken, broken), supply(StoreKey, store)] },
    onRestoreFailed: (error) => told.push(error),
  });
  const { success, text } = await bridge.call("write");
  assert.equal(success, false);
  assert.match(text, /What "tool:write" changed could not be taken back: stuck/);
  assert.ok(told[0] instanceof RestoreError);
  assert.deepEqual([store.content, session.slice(StepAdded).size], [[], 0]);
});

test("5.2: a resource that cannot tell its state fails the call before it is run", async () => {
  const Broken = resourceKey<Snapshotable>("broken");
  const broken = { snapshot: () => Promise.reject(new Error("busy")), restore: () => {} };
  let runs = 0;
  const counted = tool({ name: "t", description: "T", run: () => ToolResult.ok(++runs) });
  await using bridge = await bridgeOf({ tools: [counted], define: { resources: [supply(Broken, broken)] } });
  const { success, text } = await bridge.call("t");
  assert.deepEqual([success, runs], [false, 0]);
  assert.match(text, /busy/);
});

test("5.5: what others change while a handler runs is taken back with it, logs excepted", async () => {
  const session = new Session();
  const begun = gate();
  const go = gate();
  const slow = tool({
    name: "slow",
    description: "Slow",
    run: async () => {
      begun.open();
      await go;
      return ToolResult.error("no");
    },
  });
  await using bridge = await bridgeOf({ tools: [slow], session });
  const pending = bridge.call("slow");
  await begun;
  session.dispatch(StepAdded({ step: "of another" }));
  session.dispatch(Note({ text: "kept" }));
  go.open();
  await pending;
  assert.deepEqual([session.slice(StepAdded).size, session.slice(Note).size], [0, 1]);
});

test("5.13: calls of one session run one after the other, those of two sessions at the same time", async () => {
  const running: string[] = [];
  let most = 0;
  const go = gate();
  const slow = tool({
    name: "slow",
    description: "Slow",
    input: z.object({ id: z.string() }),
    run: async ({ id }) => {
      running.push(id);
      most = Math.max(most, running.length);
      await go;
      running.splice(running.indexOf(id), 1);
      return ToolResult.ok();
    },
  });
  const session = new Session();
  await using one = await bridgeOf({ tools: [slow], session });
  await using two = await bridgeOf({ tools: [slow], session });
  await using other = await bridgeOf({ tools: [slow] });
  const calls = [
    one.call("slow", { id: "1" }),
    two.call("slow", { id: "2" }),
    one.call("slow", { id: "3" }),
    other.call("slow", { id: "x" }),
  ];
  await eventually(() => running.length === 2);
  assert.deepEqual([...running].sort(), ["1", "x"]);
  go.open();
  assert.ok((await Promise.all(calls)).every(({ success }) => success));
  assert.equal(most, 2);
});

test("5.13: calls that come at once, some of which fail, leave what one after the other would have left", async () => {
  const { int, chance, seed } = random();
  const session = new Session();
  const add = tool({
    name: "add",
    description: "Adds",
    input: z.object({ id: z.string(), fails: z.boolean(), waits: z.number() }),
    run: async ({ id, fails, waits }, context) => {
      context.session.dispatch(StepAdded({ step: `${id}a` }));
      for (let turn = 0; turn < waits; turn++) await Promise.resolve();
      context.session.dispatch(StepAdded({ step: `${id}b` }));
      return fails ? ToolResult.error("no") : ToolResult.ok();
    },
  });
  await using bridge = await bridgeOf({ tools: [add], session });
  const wanted = Array.from({ length: 40 }, (_, n) => ({ id: `${n}`, fails: chance(), waits: int(0, 20) }));
  await Promise.all(wanted.map((each) => bridge.call("add", each)));
  const expected = wanted.filter(({ fails }) => !fails).flatMap(({ id }) => [`${id}a`, `${id}b`]);
  assert.deepEqual(
    session
      .slice(StepAdded)
      .all()
      .map(({ step }) => step),
    expected,
    `QUIRE_SEED=${seed}`,
  );
});

test("5.17: a call that is aborted is rolled back and answered, though its handler does not listen", async () => {
  const session = new Session();
  const begun = gate();
  const deaf = tool({
    name: "deaf",
    description: "Deaf",
    run: async (_, context) => {
      context.session.dispatch(StepAdded({ step: "x" }));
      begun.open();
      return new Promise<never>(() => {});
    },
  });
  const aborter = new AbortController();
  await using bridge = await bridgeOf({ tools: [deaf], session, signal: aborter.signal });
  const running = bridge.call("deaf");
  const waiting = bridge.call("deaf");
  await begun;
  aborter.abort(new Error("shutting down"));
  for (const { success, text } of await Promise.all([running, waiting])) {
    assert.equal(success, false);
    assert.match(text, /shutting down/);
  }
  assert.equal(session.slice(StepAdded).size, 0);
  assert.match((await bridge.call("deaf")).text, /shutting down/);
});

test("5.17: a call that waits for another is answered as soon as it is aborted itself", async () => {
  const go = gate();
  const slow = tool({
    name: "slow",
    description: "Slow",
    run: async () => {
      await go;
      return ToolResult.ok("done");
    },
  });
  await using bridge = await bridgeOf({ tools: [slow] });
  const first = bridge.call("slow");
  const aborter = new AbortController();
  const second = bridge.call("slow", {}, aborter.signal);
  aborter.abort(new Error("withdrawn"));
  const { success, text } = await second;
  assert.equal(success, false);
  assert.match(text, /was not run: withdrawn/);
  go.open();
  assert.equal((await first).text, "done");
});

test("5.17: a handler that ends after its call was aborted is not noted as a success", async () => {
  const go = gate();
  const begun = gate();
  const noted: string[] = [];
  const late = tool({
    name: "late",
    description: "Late",
    run: async () => {
      begun.open();
      await go;
      noted.push("ended");
      return ToolResult.ok();
    },
  });
  const policy = { name: "p", check: () => allow(), onResult: () => void noted.push("noted") };
  const aborter = new AbortController();
  await using bridge = await bridgeOf({ tools: [late], define: { policies: [policy] } });
  const call = bridge.call("late", {}, aborter.signal);
  await begun;
  aborter.abort(new Error("over"));
  assert.equal((await call).success, false);
  go.open();
  await eventually(() => noted.length > 0);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(noted, ["ended"]);
});
