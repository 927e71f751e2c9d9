import assert from "node:assert/strict";
import { test } from "node:test";
import {
  InProcessDispatcher,
  PromptExecuted,
  PromptRendered,
  RenderedTools,
  Session,
  ToolInvoked,
  ToolResult,
} from "@quire/agent";
import { promptExecuted, promptRendered, renderedTools, toolInvoked } from "@quire/agent/events";
import { append } from "@quire/agent/sessions";
import { Plan } from "../support/records.ts";

const prompt = { ns: "n", key: "k", name: null };
const plan = (id: string) => Plan({ id, steps: [] });
const call = (result: ToolResult, sessionId?: string) =>
  toolInvoked({ promptName: "p", name: "t", params: {}, result, renderedOutput: "", sessionId });
const end = (output: unknown) => promptExecuted({ promptName: "p", result: { promptName: "p", text: "", output } });

test("3.9: what happened is kept in logs, which a roll-back leaves alone", () => {
  const session = new Session();
  const before = session.snapshot();
  const rendered = promptRendered({ prompt, renderedPrompt: "text" });
  for (const event of [rendered, renderedTools({ renderEvent: rendered, tools: [] }), call(ToolResult.ok()), end(null)])
    session.dispatch(event);
  session.restore(before);
  for (const type of [PromptRendered, RenderedTools, ToolInvoked, PromptExecuted]) {
    assert.equal(type.policy, "log");
    assert.equal(session.slice<object>(type).size, 1);
  }
});

test("3.10: what others dispatch on the session's dispatcher is kept, and what the session dispatches is kept once", () => {
  const dispatcher = new InProcessDispatcher();
  const session = new Session({ dispatcher });
  dispatcher.dispatch(call(ToolResult.ok()));
  assert.equal(session.slice(ToolInvoked).size, 1);
  session.dispatch(call(ToolResult.ok()));
  assert.equal(session.slice(ToolInvoked).size, 2);
  dispatcher.dispatch(plan("not telemetry"));
  assert.equal(session.slice(Plan).size, 0);
  session.close();
  dispatcher.dispatch(call(ToolResult.ok()));
  assert.equal(session.slice(ToolInvoked).size, 2);
});

test("3.10: on a shared dispatcher a session keeps what names it or nobody", () => {
  const dispatcher = new InProcessDispatcher();
  const left = new Session({ dispatcher });
  const right = new Session({ dispatcher });
  left.dispatch(call(ToolResult.ok(), left.id));
  dispatcher.dispatch(call(ToolResult.ok()));
  assert.equal(left.slice(ToolInvoked).size, 2);
  assert.equal(right.slice(ToolInvoked).size, 1);
});

test("3.11: the record that a tool gave goes to its slice, if the tool succeeded", () => {
  const dispatcher = new InProcessDispatcher();
  const session = new Session({ dispatcher });
  const heard: string[] = [];
  dispatcher.subscribe(Plan, ({ id }) => heard.push(id));
  session.dispatch(call(ToolResult.ok(plan("a"))));
  dispatcher.dispatch(call(ToolResult.ok(plan("b"))));
  session.dispatch(call({ ...ToolResult.ok(plan("failed")), success: false }));
  session.dispatch(call(ToolResult.ok({ id: "no record", steps: [] })));
  assert.deepEqual(
    session
      .slice(Plan)
      .all()
      .map(({ id }) => id),
    ["a", "b"],
  );
  assert.deepEqual(heard, ["a", "b"]);
});

test("3.11: the output of an evaluation goes to its slice, each of several too", () => {
  const session = new Session();
  session.dispatch(end(plan("a")));
  session.dispatch(end([plan("b"), plan("c"), "text"]));
  session.dispatch(end({ id: "no record", steps: [] }));
  assert.deepEqual(
    session
      .slice(Plan)
      .all()
      .map(({ id }) => id),
    ["a", "b", "c"],
  );
});

test("3.9: the log is kept also where somebody makes something else of the same events", () => {
  const session = new Session();
  session.slice(Plan).register(ToolInvoked, (_, { name }) => append({ id: name, steps: [] }));
  session.dispatch(call(ToolResult.ok()));
  assert.deepEqual([session.slice(ToolInvoked).size, session.slice(Plan).latest()?.id], [1, "t"]);
});
