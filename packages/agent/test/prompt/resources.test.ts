import assert from "node:assert/strict";
import { test } from "node:test";
import { definePrompt, markdown, type Prompt, provide, ResourceError, resourceKey, supply } from "@quire/agent";
import type { ResourceBinding } from "@quire/agent/prompts";
import { gate } from "@quire/testkit";
import { memoryLogger } from "../support/log.ts";

const A = resourceKey<{ name: string }>("a");
const B = resourceKey<{ name: string }>("b");
const C = resourceKey<{ name: string }>("c");

/** Counts what is made and closed. */
function making() {
  const log: string[] = [];
  const make = (name: string) => {
    log.push(`+${name}`);
    return { name, close: () => void log.push(`-${name}`) };
  };
  return { log, make };
}

const promptOf = (resources: readonly ResourceBinding[], inner: readonly ResourceBinding[] = []): Prompt =>
  definePrompt({
    ns: "n",
    key: "k",
    sections: [markdown({ key: "a", title: "A", template: "", resources: inner })],
    resources,
  }).bind();

test("1.18: bindings of sections beat those of the template, and those of the prompt beat all", async () => {
  const from = (name: string, key = A) => provide(key, { create: () => ({ name }) });
  const prompt = promptOf(
    [from("template"), from("template", B), from("template", C)],
    [from("section"), from("section", B)],
  );
  prompt.bindResources(from("prompt"));
  await using _ = await prompt.resources.enter();
  assert.deepEqual(await Promise.all([A, B, C].map(async (key) => (await prompt.resources.get(key)).name)), [
    "prompt",
    "section",
    "template",
  ]);
  await assert.rejects(prompt.resources.get(resourceKey("nobody's")), /Nobody provides the resource "nobody's"/);
});

test("1.18: a resource is made when first asked for, or at once if it is eager, and once for all", async () => {
  const { log, make } = making();
  const prompt = promptOf([
    provide(A, { create: () => make("a") }),
    provide(B, { create: async () => make("b"), eager: true }),
  ]);
  await using _ = await prompt.resources.enter();
  assert.deepEqual(log, ["+b"]);
  assert.equal(prompt.resources.peek(A), undefined);
  const [one, two] = await Promise.all([prompt.resources.get(A), prompt.resources.get(A)]);
  assert.equal(one, two);
  assert.equal(prompt.resources.peek(A), one);
  assert.deepEqual(log, ["+b", "+a"]);
});

test("1.18: resources live for all, for one call, or for whoever asks", async () => {
  const { log, make } = making();
  const prompt = promptOf([
    provide(A, { create: () => make("a") }),
    provide(B, { create: async (get) => make(`b of ${(await get(A)).name}`), scope: "tool-call" }),
    provide(C, { create: () => make("c"), scope: "fresh" }),
  ]);
  const lease = await prompt.resources.enter();
  await assert.rejects(prompt.resources.get(B), /within calls of tools only/);
  {
    await using call = prompt.resources.forCall();
    assert.equal(await call.get(B), await call.get(B));
    assert.equal(await call.get(A), await prompt.resources.get(A));
    assert.notEqual(await call.get(C), await call.get(C));
    assert.equal(call.peek(A), await call.get(A));
  }
  assert.deepEqual(log, ["+a", "+b of a", "+c", "+c", "-c", "-c", "-b of a"]);
  await lease[Symbol.asyncDispose]();
  assert.equal(log.at(-1), "-a");
});

test("1.18: resources that need each other are refused with the way around, from wherever one enters the circle", async () => {
  const chain = (from: typeof A, to: typeof A) =>
    provide(from, { create: async (get) => ({ name: (await get(to)).name }) });
  const prompt = promptOf([chain(A, B), chain(B, C), chain(C, A)]);
  await using _ = await prompt.resources.enter();
  await assert.rejects(prompt.resources.get(A), /in a circle: c → a → b → c/);
  const both = await Promise.allSettled([prompt.resources.get(A), prompt.resources.get(C)]);
  assert.ok(both.every(({ status }) => status === "rejected"));
  const self = promptOf([chain(A, A)]);
  await using __ = await self.resources.enter();
  await assert.rejects(self.resources.get(A), /a → a/);
});

test("1.18: what could not be made may be had later", async () => {
  let times = 0;
  const prompt = promptOf([
    provide(A, {
      create: () => {
        times += 1;
        if (times === 1) throw new Error("busy");
        return { name: "a" };
      },
    }),
  ]);
  await using _ = await prompt.resources.enter();
  await assert.rejects(prompt.resources.get(A), /busy/);
  assert.deepEqual(await prompt.resources.get(A), { name: "a" });
});

test("1.19: resources are closed in reverse order, and one that cannot be closed keeps no other open", async () => {
  const { log, make } = making();
  const { lines, logger } = memoryLogger();
  const prompt = definePrompt({ ns: "n", key: "k", sections: [] }).prompt({
    logger,
    resources: [
      provide(A, { create: () => make("a") }),
      provide(B, {
        create: () => ({
          name: "b",
          close: () => {
            throw new Error("stuck");
          },
        }),
      }),
      provide(C, { create: async () => ({ name: "c", [Symbol.asyncDispose]: async () => void log.push("-c") }) }),
    ],
  });
  const lease = await prompt.resources.enter();
  for (const key of [A, B, C]) await prompt.resources.get(key);
  await lease[Symbol.asyncDispose]();
  assert.deepEqual(log, ["+a", "-c", "-a"]);
  assert.deepEqual(lines, ['The resource "b" could not be closed']);
});

test("1.19: resources cannot be had outside of their time, but for those that were supplied", async () => {
  const { log, make } = making();
  const ready = make("ready");
  const prompt = promptOf([provide(A, { create: () => make("a") }), supply(B, ready)]);
  await assert.rejects(prompt.resources.get(A), ResourceError);
  assert.equal(await prompt.resources.get(B), ready);
  assert.equal(prompt.resources.peek(B), ready);
  assert.throws(() => prompt.resources.forCall(), ResourceError);
  const lease = await prompt.resources.enter();
  assert.equal(await prompt.resources.get(B), ready);
  await lease[Symbol.asyncDispose]();
  await assert.rejects(prompt.resources.get(A), ResourceError);
  assert.deepEqual(log, ["+ready"], "what was supplied is its owner's to close");
});

test("1.19: what is being made when the resources end is closed, too", async () => {
  const { log, make } = making();
  const begun = gate();
  const go = gate();
  const prompt = promptOf([
    provide(A, {
      create: async () => {
        begun.open();
        await go;
        return make("a");
      },
    }),
  ]);
  const lease = await prompt.resources.enter();
  const asked = prompt.resources.get(A);
  await begun;
  const left = lease[Symbol.asyncDispose]();
  go.open();
  await Promise.all([asked, left]);
  assert.deepEqual(log, ["+a", "-a"]);
});

test("1.20: who has entered may enter again; the resources end with the last who leaves", async () => {
  const { log, make } = making();
  const prompt = promptOf([provide(A, { create: () => make("a") })]);
  const caller = await prompt.resources.enter();
  const evaluation = await prompt.resources.enter();
  await prompt.resources.get(A);
  await evaluation[Symbol.asyncDispose]();
  await evaluation[Symbol.asyncDispose]();
  assert.equal(prompt.resources.isActive, true);
  assert.deepEqual(log, ["+a"]);
  await caller[Symbol.asyncDispose]();
  assert.equal(prompt.resources.isActive, false);
  assert.deepEqual(log, ["+a", "-a"]);
  await using _ = await prompt.resources.enter();
  await prompt.resources.get(A);
  assert.deepEqual(log, ["+a", "-a", "+a"]);
});

test("1.20: where an eager resource cannot be made, nobody has entered, and what was made is closed", async () => {
  const { log, make } = making();
  const prompt = promptOf([
    provide(A, { create: () => make("a"), eager: true }),
    provide(B, { create: () => Promise.reject(new Error("no b")), eager: true }),
  ]);
  await assert.rejects(prompt.resources.enter(), /no b/);
  assert.equal(prompt.resources.isActive, false);
  assert.deepEqual(log, ["+a", "-a"]);
});

test("1.21: what was supplied is there from the start, so that it takes part in snapshots", async () => {
  const ready = { name: "ready" };
  const prompt = promptOf([supply(A, ready), provide(B, { create: () => ({ name: "b" }) })]);
  await using _ = await prompt.resources.enter();
  assert.deepEqual([...prompt.resources.singletons], [[A, ready]]);
});
