import assert from "node:assert/strict";
import { test } from "node:test";
import { RecordError, record } from "@quire/agent";
import { recordTypeOf } from "@quire/agent/sessions";
import { z } from "zod";
import { Plan } from "../support/records.ts";

test("3.2: a record is a frozen copy that knows its type, so that what a session keeps cannot change behind its back", () => {
  const steps = ["read"];
  const plan = Plan({ id: "a", steps });
  steps.push("later");
  assert.deepEqual(plan, { id: "a", steps: ["read"] });
  assert.throws(() => (plan.steps as string[]).push("x"), TypeError);
  assert.equal(recordTypeOf(plan), Plan);
  assert.ok(Plan.is(plan));
  assert.ok(!Plan.is({ id: "a", steps: [] }));
  assert.deepEqual(Object.keys(plan), ["id", "steps"]);
  assert.equal(Plan(plan), plan);
});

test("3.2: a value that does not fit its record type is refused with the place of the fault", () => {
  assert.throws(
    () => Plan({ id: "a", steps: [1 as never] }),
    (error) => {
      assert.ok(error instanceof RecordError);
      assert.match(error.message, /"test\.plan": steps\.0: /);
      return true;
    },
  );
  assert.throws(() => Plan("text" as never), RecordError);
  assert.throws(() => record(" "), RecordError);
  const late = record("test.late", {
    "~standard": { version: 1, vendor: "x", validate: async (value: unknown) => ({ value: value as object }) },
  });
  assert.throws(() => late({}), /answers later/);
});

test("3.2: a record type is a schema too, whose values are records", async () => {
  const verdict = await Plan["~standard"].validate({ id: "a", steps: [] });
  assert.ok(verdict.issues === undefined);
  assert.ok(Plan.is(verdict.value));
  const refused = await Plan["~standard"].validate({ id: 5, steps: [] });
  assert.deepEqual(refused.issues?.[0]?.path, ["id"]);
  const json = Plan["~standard"].jsonSchema?.input({ target: "draft-2020-12" });
  assert.deepEqual(Object.keys((json?.properties ?? {}) as object), ["id", "steps"]);
});

test("3.2: what a schema adds or converts is in the record", () => {
  const Task = record("test.task", z.object({ title: z.string(), done: z.boolean().default(false) }));
  assert.deepEqual(Task({ title: "a" }), { title: "a", done: false });
});

test("3.2: keys with a meaning to JavaScript are keys like others", () => {
  const Odd = record<Record<string, unknown>>("test.keys");
  const made = Odd(JSON.parse('{"__proto__":{"a":1},"in":{"__proto__":2}}'));
  assert.deepEqual(JSON.stringify(made), '{"__proto__":{"a":1},"in":{"__proto__":2}}');
  assert.equal(Object.getPrototypeOf(made), Object.prototype);
});
