import assert from "node:assert/strict";
import { test } from "node:test";
import { InProcessDispatcher, RecordError, Session } from "@quire/agent";
import { eventually } from "@quire/testkit";
import { memoryLogger } from "../support/log.ts";
import { Note, Plan, StepAdded } from "../support/records.ts";

test("3.12: handlers hear of events of exactly their type, at once and in order", () => {
  const dispatcher = new InProcessDispatcher();
  const heard: string[] = [];
  dispatcher.subscribe(StepAdded, ({ step }) => heard.push(`first ${step}`));
  dispatcher.subscribe(StepAdded, ({ step }) => heard.push(`second ${step}`));
  dispatcher.subscribe(Plan, () => heard.push("plan"));
  dispatcher.dispatch(StepAdded({ step: "a" }));
  assert.deepEqual(heard, ["first a", "second a"]);
  assert.throws(() => dispatcher.dispatch({ step: "a" }), RecordError);
});

test("3.12: who unsubscribes hears no more, and is told whether he was there", () => {
  const dispatcher = new InProcessDispatcher();
  const heard: string[] = [];
  const handler = ({ step }: { readonly step: string }) => heard.push(step);
  const unsubscribe = dispatcher.subscribe(StepAdded, handler);
  assert.equal(unsubscribe(), true);
  assert.equal(unsubscribe(), false);
  dispatcher.subscribe(StepAdded, handler);
  assert.equal(dispatcher.unsubscribe(Plan, handler as never), false);
  assert.equal(dispatcher.unsubscribe(StepAdded, handler), true);
  dispatcher.dispatch(StepAdded({ step: "a" }));
  assert.deepEqual(heard, []);
});

test("3.12: a handler that subscribes or unsubscribes while it is told changes the next event, not this one", () => {
  const dispatcher = new InProcessDispatcher();
  const heard: string[] = [];
  const unsubscribe = dispatcher.subscribe(StepAdded, () => {
    unsubscribe();
    dispatcher.subscribe(StepAdded, () => heard.push("late"));
    heard.push("first");
  });
  dispatcher.subscribe(StepAdded, () => heard.push("second"));
  dispatcher.dispatch(StepAdded({ step: "a" }));
  assert.deepEqual(heard, ["first", "second"]);
});

test("3.12: a handler that fails, now or later, is logged and keeps nobody from hearing", async () => {
  const { lines, logger } = memoryLogger();
  const dispatcher = new InProcessDispatcher({ logger });
  const heard: string[] = [];
  dispatcher.subscribe(StepAdded, () => {
    throw new Error("now");
  });
  dispatcher.subscribe(StepAdded, () => Promise.reject(new Error("later")));
  dispatcher.subscribe(StepAdded, ({ step }) => heard.push(step));
  dispatcher.dispatch(StepAdded({ step: "a" }));
  assert.deepEqual(heard, ["a"]);
  await eventually(() => lines.length === 2);
});

test("3.13: the result of a dispatch names handlers and errors, and can raise them", () => {
  const dispatcher = new InProcessDispatcher();
  const event = StepAdded({ step: "a" });
  const none = dispatcher.dispatch(event);
  assert.deepEqual([none.ok, none.handledCount, none.handlersInvoked.length], [true, 0, 0]);
  none.raiseIfErrors();
  const fault = new Error("broken");
  const good = () => {};
  const bad = () => {
    throw fault;
  };
  dispatcher.subscribe(StepAdded, good);
  dispatcher.subscribe(StepAdded, bad);
  const result = dispatcher.dispatch(event);
  assert.equal(result.event, event);
  assert.deepEqual(result.handlersInvoked, [good, bad]);
  assert.deepEqual(result.errors, [{ handler: bad, error: fault }]);
  assert.deepEqual([result.ok, result.handledCount], [false, 1]);
  assert.throws(
    () => result.raiseIfErrors(),
    (error) => error instanceof AggregateError && error.errors[0] === fault,
  );
});

test("3.10: a session changes its slices, then tells its dispatcher, and gives what that says", () => {
  const session = new Session();
  const sizes: number[] = [];
  session.dispatcher.subscribe(Note, () => sizes.push(session.slice(Note).size));
  const result = session.dispatch(Note({ text: "a" }));
  assert.deepEqual(sizes, [1]);
  assert.equal(result.handledCount, 1);
});
