import assert from "node:assert/strict";
import { test } from "node:test";
import { record, Session, SessionSnapshot, SnapshotError, SnapshotRestoreError } from "@quire/agent";
import { fakeClock } from "@quire/testkit";
import { z } from "zod";
import { Note, Plan, StepAdded } from "../support/records.ts";

const plan = (id: string, ...steps: string[]) => Plan({ id, steps });

function filled(): Session {
  const session = new Session({ clock: fakeClock({ now: Date.UTC(2026, 0, 2, 3, 4, 5) }), tags: { team: "a" } });
  session.seed([plan("a", "1"), plan("b")]);
  session.dispatch(Note({ text: "n" }));
  session.slice(StepAdded).seed([]);
  return session;
}

test("3.14: a snapshot holds the state as it was, without logs and empty slices, and cannot be changed", () => {
  const session = filled();
  const snapshot = session.snapshot();
  session.slice(Plan).append(plan("c"));
  assert.deepEqual(snapshot.slices, [{ type: "test.plan", policy: "state", items: [plan("a", "1"), plan("b")] }]);
  assert.equal(snapshot.includesLogs, false);
  assert.throws(() => (snapshot.slices as object[]).push({}), TypeError);
  assert.throws(() => ((snapshot.slices[0]?.items ?? assert.fail()) as object[]).push({}), TypeError);
  assert.throws(() => Object.assign(snapshot, { sessionId: "x" }), TypeError);
});

test("3.14: a snapshot of everything also holds the logs", () => {
  const snapshot = filled().snapshot({ all: true });
  assert.deepEqual(
    snapshot.slices.map(({ type, policy }) => [type, policy]),
    [
      ["test.plan", "state"],
      ["test.note", "log"],
    ],
  );
});

test("3.14: what JSON cannot hold makes a snapshot fail with its place, and only then", () => {
  const Odd = record<{ deep: { value: unknown }[] }>("test.odd");
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  for (const value of [() => 1, Number.NaN, 10n, new Map(), Symbol("s"), circular]) {
    const session = new Session();
    session.dispatch(Odd({ deep: [{ value: 1 }, { value }] }));
    assert.throws(
      () => session.snapshot(),
      (error) => {
        assert.ok(error instanceof SnapshotError);
        assert.match(error.message, /test\.odd\.deep\[1\]\.value/);
        return true;
      },
    );
  }
  const fine = new Session();
  fine.dispatch(Odd({ deep: [{ value: undefined }, { value: new Date(0) }, { value: null }] }));
  assert.equal(fine.snapshot().slices.length, 1);
});

test("3.15: restoring gives every slice what it held, empties those that came later, and leaves logs alone", () => {
  const session = filled();
  const snapshot = session.snapshot();
  session.slice(Plan).clear();
  session.dispatch(StepAdded({ step: "later" }));
  session.dispatch(Note({ text: "later" }));
  session.restore(snapshot);
  assert.deepEqual(session.slice(Plan).all(), [plan("a", "1"), plan("b")]);
  assert.deepEqual(session.slice(StepAdded).all(), []);
  assert.equal(session.slice(Note).size, 2);
  session.restore(snapshot);
  session.slice(Plan).append(plan("c"));
  assert.equal(snapshot.slices[0]?.items.length, 2, "the snapshot is not the slice");
});

test("3.15: logs are restored only from a snapshot that has them, and only if asked for", () => {
  const session = filled();
  const all = session.snapshot({ all: true });
  session.dispatch(Note({ text: "later" }));
  session.restore(all);
  assert.equal(session.slice(Note).size, 2);
  session.restore(all, { includeLogs: true });
  assert.equal(session.slice(Note).size, 1);
  assert.throws(() => session.restore(session.snapshot(), { includeLogs: true }), SnapshotRestoreError);
});

test("3.15: a snapshot with a type that the session does not know is refused, and changes nothing", () => {
  const snapshot = filled().snapshot();
  const other = new Session();
  other.dispatch(StepAdded({ step: "kept" }));
  assert.throws(
    () => other.restore(snapshot),
    (error) => {
      assert.ok(error instanceof SnapshotRestoreError);
      assert.match(error.message, /"test\.plan": register/);
      return true;
    },
  );
  assert.equal(other.slice(StepAdded).size, 1);
});

test("3.16: a snapshot goes through JSON and back, with times and names of types", () => {
  const session = filled();
  const text = JSON.stringify(session.snapshot({ all: true }));
  const written = JSON.parse(text);
  assert.equal(written.version, 1);
  assert.equal(written.createdAt, "2026-01-02T03:04:05.000Z");
  assert.equal(written.sessionId, session.id);
  assert.equal(written.tags.team, "a");
  session.reset();
  session.restore(SessionSnapshot.parse(text), { includeLogs: true });
  assert.deepEqual(session.slice(Plan).all(), [plan("a", "1"), plan("b")]);
  assert.ok(Plan.is(session.slice(Plan).latest()), "what comes back are records again");
  assert.deepEqual(session.slice(Note).all(), [{ text: "n" }]);
});

test("3.16: a snapshot of another version or shape is refused, and one whose records do not fit changes nothing", () => {
  const session = filled();
  const written = JSON.parse(JSON.stringify(session.snapshot()));
  const refused = (change: object) => SessionSnapshot.parse(JSON.stringify({ ...written, ...change }));
  assert.throws(() => refused({ version: 2 }), /version 1/);
  assert.throws(() => refused({ slices: {} }), SnapshotRestoreError);
  assert.throws(() => refused({ slices: [{ type: "x", policy: "other", items: [] }] }), SnapshotRestoreError);
  assert.throws(() => refused({ createdAt: "yesterday" }), SnapshotRestoreError);
  assert.throws(() => SessionSnapshot.parse("{"), SnapshotRestoreError);
  assert.throws(() => SessionSnapshot.parse("[]"), SnapshotRestoreError);
  const bad = refused({ slices: [{ type: "test.plan", policy: "state", items: [{ id: 1 }] }] });
  assert.throws(() => session.restore(bad), /does not fit/);
  assert.equal(session.slice(Plan).size, 2);
});

test("3.16: what a schema converts survives the way through JSON", () => {
  const Timed = record("test.timed", z.object({ at: z.coerce.date() }));
  const session = new Session();
  session.seed(Timed({ at: new Date(0) }));
  const text = JSON.stringify(session.snapshot());
  session.slice(Timed).clear();
  session.restore(SessionSnapshot.parse(text));
  assert.deepEqual(session.slice(Timed).latest()?.at, new Date(0));
});
