import assert from "node:assert/strict";
import { test } from "node:test";
import { CodexThread, RecordError, record, Session } from "@quire/agent";
import { SliceCleared, SliceSeeded, VisibilityOverrides } from "@quire/agent/sessions";
import { fakeClock } from "@quire/testkit";
import { Note, Plan, StepAdded } from "../support/records.ts";

const plan = (id: string, ...steps: string[]) => Plan({ id, steps });

test("3.1: a session has an id, a time in UTC, tags with its own id, and knows its parent and children", () => {
  const parent = new Session({
    clock: fakeClock({ now: Date.UTC(2026, 0, 2, 3, 4, 5) }),
    tags: { team: "a", sessionId: "forged" },
  });
  assert.match(parent.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  assert.equal(parent.createdAt, "2026-01-02T03:04:05.000Z");
  assert.deepEqual(parent.tags, { team: "a", sessionId: parent.id });
  const child = new Session({ parent });
  assert.equal(child.parent, parent);
  assert.deepEqual(parent.children, [child]);
  assert.deepEqual(child.tags, { sessionId: child.id, parentSessionId: parent.id });
  assert.equal(new Session({ parent, tags: { parentSessionId: "other" } }).tags.parentSessionId, "other");
  assert.notEqual(child.dispatcher, parent.dispatcher);
  child.close();
  assert.ok(!parent.children.includes(child));
});

test("3.2: a slice gives all, the latest and some of its records, and can be seeded, cleared and added to", () => {
  const session = new Session();
  const slice = session.slice(Plan);
  assert.equal(slice.latest(), null);
  assert.deepEqual(slice.all(), []);
  slice.append(plan("a"));
  slice.append({ id: "b", steps: ["x"] });
  assert.equal(slice.size, 2);
  assert.equal(slice.latest()?.id, "b");
  assert.ok(Plan.is(slice.latest()));
  assert.deepEqual(
    slice.where(({ steps }) => steps.length === 0),
    [{ id: "a", steps: [] }],
  );
  slice.clear(({ id }) => id === "a");
  assert.deepEqual(slice.all(), [{ id: "b", steps: ["x"] }]);
  slice.seed([plan("c"), plan("d")]);
  assert.deepEqual(
    slice.all().map(({ id }) => id),
    ["c", "d"],
  );
  slice.seed(plan("e"));
  assert.deepEqual(
    slice.all().map(({ id }) => id),
    ["e"],
  );
  slice.clear();
  assert.equal(slice.size, 0);
  slice.seed([]);
  assert.equal(slice.size, 0);
});

test("3.2: what was read of a slice stays as it was when more is written", () => {
  const session = new Session();
  session.dispatch(StepAdded({ step: "1" }));
  const before = session.slice(StepAdded).all();
  session.dispatch(StepAdded({ step: "2" }));
  assert.deepEqual(before, [{ step: "1" }]);
  assert.throws(() => (before as object[]).push({}), TypeError);
  assert.equal(session.slice(StepAdded).size, 2);
});

test("3.3: seed(record) replaces the slice of that record's type, and the latest is read back", () => {
  const session = new Session();
  session.seed(plan("a"));
  session.seed(plan("b"));
  assert.deepEqual(session.slice(Plan).all(), [{ id: "b", steps: [] }]);
  session.seed([plan("c"), plan("d")]);
  assert.equal(session.slice(Plan).latest()?.id, "d");
  assert.throws(() => session.seed({ id: "x", steps: [] }), RecordError);
  assert.throws(() => session.seed([plan("a"), StepAdded({ step: "b" })]), RecordError);
  assert.throws(() => session.seed([]), RecordError);
});

test("3.4: seeding and clearing are dispatched like all else, and are done before a reducer sees them", () => {
  const session = new Session();
  const heard: object[] = [];
  session.dispatcher.subscribe(SliceSeeded, (event) => heard.push(event));
  session.dispatcher.subscribe(SliceCleared, (event) => heard.push(event));
  const sizes: number[] = [];
  const watch = (_: unknown, __: unknown, { slice }: Parameters<Parameters<typeof steps.register>[1]>[2]) => {
    sizes.push(slice(Plan).all().length);
    return undefined;
  };
  const steps = session.slice(StepAdded);
  steps.register(SliceSeeded, watch);
  steps.register(SliceCleared, watch);
  session.slice(Plan).seed([plan("a"), plan("b")]);
  session.slice(Plan).clear();
  assert.deepEqual(sizes, [2, 0]);
  assert.equal(heard.length, 2);
  assert.ok(SliceSeeded.is(heard[0]));
  assert.equal(heard[0].slice, "test.plan");
  session.dispatch(SliceSeeded({ slice: "test.plan", values: [plan("c")] }));
  assert.equal(session.slice(Plan).latest()?.id, "c");
  assert.throws(() => session.dispatch(SliceSeeded({ slice: "nowhere", values: [] })), RecordError);
  assert.deepEqual(session.slice(SliceSeeded).all(), []);
});

test("3.5: an event that no reducer wants is kept in its own slice, equal ones too", () => {
  const session = new Session();
  session.dispatch(StepAdded({ step: "a" }));
  session.dispatch(StepAdded({ step: "a" }));
  assert.deepEqual(session.slice(StepAdded).all(), [{ step: "a" }, { step: "a" }]);
  assert.throws(() => session.dispatch({ step: "a" }), RecordError);
});

test("3.2: two record types of one name are refused, since their slices would be one", () => {
  const session = new Session();
  session.dispatch(StepAdded({ step: "a" }));
  const Other = record<{ n: number }>("test.stepAdded");
  assert.throws(() => session.dispatch(Other({ n: 1 })), /Two types of record/);
  assert.deepEqual(session.slice(Other).all(), []);
});

test("3.9: a slice is rolled back with the session unless it is a log", () => {
  const session = new Session();
  session.slice(StepAdded).register(Plan, (_, { id }) => ({ op: "append", value: { step: id } }), { policy: "log" });
  session.seed(plan("a"));
  session.dispatch(Note({ text: "kept" }));
  const before = session.snapshot();
  session.dispatch(Note({ text: "kept too" }));
  session.dispatch(plan("b"));
  session.restore(before);
  assert.deepEqual(
    session
      .slice(Note)
      .all()
      .map(({ text }) => text),
    ["kept", "kept too"],
  );
  assert.deepEqual(session.slice(StepAdded).all(), [{ step: "b" }]);
  assert.throws(() => session.slice(StepAdded).register(Note, () => undefined, { policy: "state" }), /in use as log/);
});

test("3.17: reset empties all slices and keeps the reducers", () => {
  const session = new Session();
  session.slice(Plan).register(StepAdded, (_, { step }) => ({ op: "append", value: { id: step, steps: [] } }));
  session.dispatch(StepAdded({ step: "a" }));
  session.dispatch(Note({ text: "gone" }));
  session.reset();
  assert.equal(session.slice(Plan).size + session.slice(Note).size, 0);
  session.dispatch(StepAdded({ step: "b" }));
  assert.equal(session.slice(Plan).latest()?.id, "b");
});

test("3.17: a clone has the same content, reducers and policies, and goes its own way", () => {
  const parent = new Session();
  const session = new Session({ tags: { team: "a" } });
  session.slice(Plan).register(StepAdded, (_, { step }) => ({ op: "append", value: { id: step, steps: [] } }));
  session
    .slice(Note)
    .register(StepAdded, (_, { step }) => ({ op: "append", value: { text: step } }), { policy: "log" });
  session.dispatch(StepAdded({ step: "a" }));
  const clone = session.clone({ parent });
  assert.notEqual(clone.id, session.id);
  assert.notEqual(clone.dispatcher, session.dispatcher);
  assert.equal(clone.parent, parent);
  assert.equal(clone.tags.team, "a");
  clone.dispatch(StepAdded({ step: "b" }));
  assert.deepEqual(
    clone
      .slice(Plan)
      .all()
      .map(({ id }) => id),
    ["a", "b"],
  );
  assert.deepEqual(
    session
      .slice(Plan)
      .all()
      .map(({ id }) => id),
    ["a"],
  );
  const empty = new Session().snapshot();
  clone.restore(empty);
  assert.equal(clone.slice(Plan).size, 0);
  assert.equal(clone.slice(Note).size, 2);
});

test("3.18: every session can show sections otherwise than the prompt says", async () => {
  const { ClearAllVisibilityOverrides, ClearVisibilityOverride, SetVisibilityOverride } = await import(
    "@quire/agent/sessions"
  );
  const session = new Session();
  const now = () => session.slice(VisibilityOverrides).latest()?.overrides;
  session.dispatch(SetVisibilityOverride({ path: "a", visibility: "full" }));
  session.dispatch(SetVisibilityOverride({ path: "b.c", visibility: "summary" }));
  assert.deepEqual(now(), { a: "full", "b.c": "summary" });
  session.dispatch(ClearVisibilityOverride({ path: "a" }));
  assert.deepEqual(now(), { "b.c": "summary" });
  session.dispatch(ClearAllVisibilityOverrides({}));
  assert.deepEqual(now(), {});
});

test("3.19: the thread of a session is kept with what it was started with", () => {
  const session = new Session();
  assert.equal(session.slice(CodexThread).latest(), null);
  const thread = { threadId: "t", cwd: "/w", workspaceFingerprint: null, toolsFingerprint: "f" };
  session.seed(CodexThread({ ...thread, threadId: "old" }));
  session.seed(CodexThread(thread));
  assert.deepEqual(session.slice(CodexThread).all(), [thread]);
});
