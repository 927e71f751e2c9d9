import assert from "node:assert/strict";
import { test } from "node:test";
import { defineSlice, Session } from "@quire/agent";
import {
  append,
  appendAll,
  clear,
  extend,
  type Reducer,
  replace,
  replaceLatest,
  replaceLatestBy,
  upsertBy,
} from "@quire/agent/sessions";
import { memoryLogger } from "../support/log.ts";
import { Plan, StepAdded } from "../support/records.ts";

type Step = { readonly step: string };
const ids = (session: Session) =>
  session
    .slice(Plan)
    .all()
    .map(({ id }) => id);

function stepping(reducer: Reducer<{ readonly id: string; readonly steps: string[] }, Step>) {
  const { lines, logger } = memoryLogger();
  const session = new Session({ logger });
  session.slice(Plan).register(StepAdded, reducer);
  session.seed([Plan({ id: "a", steps: [] }), Plan({ id: "b", steps: [] })]);
  const send = (step: string) => session.dispatch(StepAdded({ step }));
  return { session, send, lines };
}

const made = (id: string) => ({ id, steps: [] });

test("3.6: a reducer appends, extends, replaces or clears its slice, or leaves it alone", () => {
  const { session, send } = stepping((_, { step }) => {
    if (step === "append") return append(made("c"));
    if (step === "extend") return extend([made("d"), made("e")]);
    if (step === "clear some") return clear(({ id }) => id === "d");
    if (step === "replace") return replace([made("z")]);
    return step === "clear" ? clear() : undefined;
  });
  send("append");
  assert.deepEqual(ids(session), ["a", "b", "c"]);
  send("extend");
  assert.deepEqual(ids(session), ["a", "b", "c", "d", "e"]);
  send("clear some");
  assert.deepEqual(ids(session), ["a", "b", "c", "e"]);
  send("nothing");
  assert.deepEqual(ids(session), ["a", "b", "c", "e"]);
  send("replace");
  assert.deepEqual(ids(session), ["z"]);
  send("clear");
  assert.deepEqual(ids(session), []);
  assert.deepEqual(session.slice(StepAdded).all(), [], "the event itself is not kept where a reducer wants it");
});

test("3.6: a reducer sees its slice and the whole session", () => {
  const seen: unknown[] = [];
  const { session, send } = stepping((slice, event, all) => {
    seen.push(slice.size, slice.latest()?.id, event.step, all.id, all.slice(Plan).latest()?.id);
    return undefined;
  });
  send("x");
  assert.deepEqual(seen, [2, "b", "x", session.id, "b"]);
});

test("3.6: a reducer that throws, or gives what does not fit, is logged, and the others still run", () => {
  const { session, send, lines } = stepping(() => {
    throw new Error("broken");
  });
  session.slice(Plan).register(StepAdded, () => append({ id: 5 as never, steps: [] }));
  session.slice(Plan).register(StepAdded, (_, { step }) => append(made(step)));
  assert.equal(send("c").ok, true);
  assert.deepEqual(ids(session), ["a", "b", "c"]);
  assert.deepEqual(lines, Array(2).fill('A reducer of the slice "test.plan" failed'));
});

test("3.7: the stock reducers append, upsert, replace, and replace by key", () => {
  const run = (
    reducer: Reducer<
      { readonly id: string; readonly steps: string[] },
      { readonly id: string; readonly steps: string[] }
    >,
  ) => {
    const session = new Session();
    session.slice(Plan).register(Plan, reducer);
    for (const [id, step] of [
      ["a", "1"],
      ["b", "2"],
      ["a", "3"],
    ] as const)
      session.dispatch(Plan({ id, steps: [step] }));
    return session
      .slice(Plan)
      .all()
      .map(({ id, steps }) => `${id}${steps[0]}`);
  };
  assert.deepEqual(run(appendAll()), ["a1", "b2", "a3"]);
  assert.deepEqual(run(upsertBy(({ id }) => id)), ["a3", "b2"]);
  assert.deepEqual(run(replaceLatest()), ["a3"]);
  assert.deepEqual(run(replaceLatestBy(({ id }) => id)), ["b2", "a3"]);
});

test("3.7: upsert leaves one record per key, also where the slice held several", () => {
  const session = new Session();
  session.seed([Plan(made("a")), Plan(made("b")), Plan(made("a"))]);
  session.slice(Plan).register(
    Plan,
    upsertBy(({ id }) => id),
  );
  session.dispatch(Plan({ id: "a", steps: ["new"] }));
  assert.deepEqual(session.slice(Plan).all(), [
    { id: "a", steps: ["new"] },
    { id: "b", steps: [] },
  ]);
});

test("3.7: one event may change several slices", () => {
  const session = new Session();
  session.slice(Plan).register(StepAdded, (_, { step }) => append({ id: step, steps: [] }));
  session.slice(StepAdded).register(StepAdded, appendAll());
  session.dispatch(StepAdded({ step: "a" }));
  assert.deepEqual(ids(session), ["a"]);
  assert.deepEqual(session.slice(StepAdded).all(), [{ step: "a" }]);
});

const planSlice = defineSlice(Plan, { initial: () => ({ id: "p", steps: [] }) }).on(
  StepAdded,
  ({ id, steps }, { step }) => ({
    id,
    steps: [...steps, step],
  }),
);

test("3.8: a declared slice starts from its initial state and has one handler per event", () => {
  const session = new Session();
  session.install(planSlice);
  session.dispatch(StepAdded({ step: "1" }));
  session.dispatch(StepAdded({ step: "2" }));
  assert.deepEqual(session.slice(Plan).all(), [{ id: "p", steps: ["1", "2"] }]);
  assert.throws(() => planSlice.on(StepAdded, (state) => state), /already/);
});

test("3.8: without an initial state, events are ignored until there is a state", () => {
  const session = new Session();
  session.install(defineSlice(Plan).on(StepAdded, ({ id, steps }, { step }) => ({ id, steps: [...steps, step] })));
  session.dispatch(StepAdded({ step: "lost" }));
  assert.deepEqual(session.slice(Plan).all(), []);
  session.seed(Plan({ id: "q", steps: [] }));
  session.dispatch(StepAdded({ step: "kept" }));
  assert.deepEqual(session.slice(Plan).all(), [{ id: "q", steps: ["kept"] }]);
});
