import assert from "node:assert/strict";
import { test } from "node:test";
import { definePrompt, defineSlice, markdown, record, type Session } from "@quire/agent";
import { loadThread, openSession, type Store, StoreConflictError, saveThread } from "@quire/agent/stores";
import { z } from "zod";
import { paramsOf, stage } from "../../support/stage.ts";

const Plan = record("demo.plan", z.object({ steps: z.array(z.string()) }));
const AddStep = record("demo.addStep", z.object({ step: z.string() }));
const plan = defineSlice(Plan, { initial: () => ({ steps: [] }) }).on(AddStep, ({ steps }, { step }) => ({
  steps: [...steps, step],
}));
const setup = (session: Session) => session.install(plan);
const hello = definePrompt({
  ns: "t",
  key: "hello",
  sections: [markdown({ key: "a", title: "A", template: "Hello" })],
});

/** Everything that a store has to do. `open` opens the same store anew, as another process would. */
export function storeContract(name: string, open: () => Store | Promise<Store>): void {
  test(`${name}: a text comes back as it was written, also from a store that was opened later`, async () => {
    const store = await open();
    const text = '{"a":"ü\\u0000\\n😀\'\\"; DROP TABLE quire_store; --"}';
    assert.equal(await store.read("first"), undefined);
    const version = await store.write("first", text);
    assert.deepEqual(await (await open()).read("first"), { text, version });
    const newer = await store.write("first", "b".repeat(2_000_000));
    assert.notEqual(newer, version);
    assert.equal((await store.read("first"))?.text.length, 2_000_000);
    await store.delete("first");
    await store.delete("first");
    assert.equal(await store.read("first"), undefined);
  });

  test(`${name}: any key stays apart from the others and within the store`, async () => {
    const store = await open();
    const keys = [
      "k/a",
      "k/A",
      "k/../../etc/passwd",
      "k/..",
      "k/a b",
      "k/%",
      "k/_",
      "k/ü",
      `k/${"x".repeat(480)}`,
      "k/'--",
    ];
    for (const key of keys) await store.write(key, key);
    for (const key of keys) assert.equal((await store.read(key))?.text, key);
    assert.deepEqual(await store.keys("k/"), [...keys].sort());
    assert.deepEqual(await store.keys("k/%"), ["k/%"]);
    assert.deepEqual(await store.keys("k/a"), ["k/a", "k/a b"]);
    assert.deepEqual(await store.keys("nothing"), []);
    for (const key of ["", "a\0b", "x".repeat(501), "\ud800", 5 as unknown as string])
      await assert.rejects(store.write(key, "x"), /key must be/);
    for (const key of keys) await store.delete(key);
  });

  test(`${name}: a write over a version that is gone is refused, and changes nothing`, async () => {
    const [store, other] = [await open(), await open()];
    const first = await store.write("v", "1", { expected: null });
    await assert.rejects(other.write("v", "x", { expected: null }), StoreConflictError);
    const second = await other.write("v", "2", { expected: first });
    await assert.rejects(store.write("v", "3", { expected: first }), StoreConflictError);
    assert.equal((await store.read("v"))?.text, "2");
    await store.delete("v");
    await assert.rejects(store.write("v", "4", { expected: second }), StoreConflictError);
    await store.write("v", "1", { expected: null });
    await assert.rejects(store.write("v", "5", { expected: first }), StoreConflictError, "versions never come back");
    await store.delete("v");
  });

  test(`${name}: of many writers over one version, one succeeds`, async () => {
    const store = await open();
    const version = await store.write("race", "0");
    const writers = Array.from({ length: 20 }, (_, index) => store.write("race", String(index), { expected: version }));
    const outcomes = await Promise.allSettled(writers);
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
    await store.delete("race");
  });

  test(`${name}: a session goes on where it was saved, with its records, its id and its thread`, async () => {
    const options = { client: { reuseThread: true, cwd: "/w" } };
    const first = await openSession(await open(), "customer", { setup });
    assert.ok(first.isNew);
    first.session.dispatch(AddStep({ step: "read" }));
    const { threadId } = await stage(() => {}, options).agent.evaluate(hello.bind(), { session: first.session });
    await Promise.all([first.save(), first.save()]);

    const second = await openSession(await open(), "customer", { setup });
    assert.ok(!second.isNew);
    assert.equal(second.session.id, first.session.id);
    assert.deepEqual(second.session.slice(Plan).latest()?.steps, ["read"]);
    const scene = stage(() => {}, options);
    await scene.agent.evaluate(hello.bind(), { session: second.session });
    assert.equal((await paramsOf(scene.server, "thread/resume")).threadId, threadId);
    second.session.dispatch(AddStep({ step: "write" }));
    await second.save();
    await assert.rejects(first.save(), StoreConflictError);
    const third = await openSession(await open(), "customer", { setup });
    assert.deepEqual(third.session.slice(Plan).latest()?.steps, ["read", "write"]);
    await assert.rejects(openSession(await open(), "customer"), /knows no slice "demo.plan"/);
  });

  test(`${name}: a thread is found again by its key`, async () => {
    const store = await open();
    assert.equal(await loadThread(store, "ticket"), undefined);
    const evaluation = await stage().agent.evaluate(hello.bind());
    await saveThread(store, "ticket", evaluation);
    const { threadId, toolsFingerprint } = evaluation;
    assert.deepEqual(await loadThread(await open(), "ticket"), { threadId, toolsFingerprint });
    await store.write("ticket", "nonsense");
    await assert.rejects(loadThread(store, "ticket"), /holds no thread/);
    await store.delete("ticket");
  });
}
