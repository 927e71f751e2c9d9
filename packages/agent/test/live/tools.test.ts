import assert from "node:assert/strict";
import { test } from "node:test";
import {
  definePrompt,
  deny,
  evaluateWithExpansion,
  markdown,
  type PromptDefinition,
  record,
  Session,
  sequentialDependency,
  staticFeedback,
  type Tool,
  ToolInvoked,
  ToolResult,
  tool,
  VisibilityExpansionRequired,
} from "@quire/agent";
import type { CompletionChecker } from "@quire/agent/prompts";
import { reply } from "@quire/testkit";
import { z } from "zod";
import { errorOf } from "../support/stage.ts";
import { onEachTarget, sharedBy } from "./targets.ts";

const Note = record("live.note", z.object({ text: z.string() }));

/** Writes a note into the session, and then does what it is told to. */
const write = tool({
  name: "write_note",
  description: "Writes a note",
  input: z.object({ text: z.string(), outcome: z.enum(["succeed", "fail", "throw"]).optional() }),
  run: ({ text, outcome }, { session }) => {
    session.dispatch(Note({ text }));
    if (outcome === "throw") throw new Error("the handler broke");
    return outcome === "fail" ? ToolResult.error("it did not work") : ToolResult.ok({ written: text });
  },
});
const read = tool({ name: "read_note", description: "Reads", run: () => ToolResult.ok({ text: "read" }) });

function prompt(tools: readonly Tool[], more: Partial<PromptDefinition<readonly [], undefined>> = {}) {
  return definePrompt({
    ns: "live",
    key: "tools",
    ...more,
    sections: [markdown({ key: "task", title: "Task", template: "Go.", tools })],
  });
}

const call = (name: string, args: object, callId: string) => reply().functionCall(name, args, { callId });
const notes = (session: Session) =>
  session
    .slice(Note)
    .all()
    .map(({ text }) => text);

await onEachTarget("11.16, 11.19: tools", [], (target) => {
  const server = sharedBy(target);

  test("tools: the model gets what a tool gives", async () => {
    const live = server();
    live.model.script(call("write_note", { text: "a" }, "call-1"), reply().text("Done."));
    const { text } = await live.agent().evaluate(prompt([write]).bind());
    assert.equal(text, "Done.");
    assert.match(live.model.last.functionOutput("call-1") ?? "", /"written":"a"/);
  });

  test("tools: several calls in one response are served one after the other", async () => {
    const live = server();
    const both = reply();
    for (const text of ["a", "b", "c"]) both.functionCall("write_note", { text }, { callId: `call-${text}` });
    live.model.script(both, reply().text("Done."));
    const session = new Session();
    await live.agent().evaluate(prompt([write]).bind(), { session });
    assert.deepEqual(notes(session).sort(), ["a", "b", "c"]);
    assert.equal(session.slice(ToolInvoked).all().length, 3);
  });

  for (const [kind, args, told] of [
    ["a result that says so", { text: "x", outcome: "fail" }, /it did not work/],
    ["an exception", { text: "x", outcome: "throw" }, /the handler broke/],
    ["arguments that do not fit", { text: 5 }, /text/],
  ] as const) {
    test(`rollback: ${kind} takes back what was done, and the model is told`, async () => {
      const live = server();
      const session = new Session();
      session.slice(Note).seed(Note({ text: "before" }));
      live.model.script(call("write_note", args, "call-1"), reply().text("Done."));
      await live.agent().evaluate(prompt([write]).bind(), { session });
      assert.deepEqual(notes(session), ["before"]);
      assert.match(live.model.last.functionOutput("call-1") ?? "", told);
      assert.equal(session.slice(ToolInvoked).latest()?.result.success, false);
    });
  }

  test("rollback: what a call did that succeeded stays, also when the next one fails", async () => {
    const live = server();
    const session = new Session();
    live.model.script(
      call("write_note", { text: "kept" }, "call-1"),
      call("write_note", { text: "lost", outcome: "fail" }, "call-2"),
      reply().text("Done."),
    );
    await live.agent().evaluate(prompt([write]).bind(), { session });
    assert.deepEqual(notes(session), ["kept"]);
  });

  test("policies: a tool that must come later is refused with the reason", async () => {
    const live = server();
    const session = new Session();
    const inOrder = sequentialDependency({ requires: { write_note: ["read_note"] } });
    const never = { name: "never", check: () => deny("not today") };
    live.model.script(
      call("write_note", { text: "too soon" }, "call-1"),
      call("read_note", {}, "call-2"),
      call("write_note", { text: "now" }, "call-3"),
      reply().text("Done."),
    );
    await live.agent().evaluate(prompt([write, read], { policies: [inOrder] }).bind(), { session });
    assert.deepEqual(notes(session), ["now"]);
    assert.match(live.model.last.functionOutput("call-1") ?? "", /read_note/);
    live.model.script(call("read_note", {}, "call-4"), reply().text("Done."));
    await live.agent().evaluate(prompt([write, read], { policies: [never] }).bind());
    assert.match(live.model.last.functionOutput("call-4") ?? "", /not today/);
  });

  test("feedback: it is read with the result of the call that was due", async () => {
    const live = server();
    const feedback = [staticFeedback("pace", "Be brief.", [{ everyCalls: 2 }])];
    live.model.script(call("read_note", {}, "call-1"), call("read_note", {}, "call-2"), reply().text("Done."));
    await live.agent().evaluate(prompt([read], { feedback }).bind());
    assert.doesNotMatch(live.model.last.functionOutput("call-1") ?? "", /Be brief/);
    assert.match(live.model.last.functionOutput("call-2") ?? "", /<feedback provider="pace"[\s\S]*Be brief\./);
  });

  test("completion: the model is sent back to work on the same thread until the work is done", async () => {
    const live = server();
    let checks = 0;
    const completion: CompletionChecker = {
      check: ({ text }) => (++checks < 3 ? { complete: false, feedback: `Not yet (${text}).` } : { complete: true }),
    };
    live.model.script(reply().text("one"), reply().text("two"), reply().text("three"));
    const { text, turnIds, usage } = await live.agent().evaluate(prompt([], { completion }).bind());
    assert.deepEqual([text, turnIds.length, usage?.totalTokens], ["three", 3, 330]);
    assert.match(live.model.last.inputText(), /one[\s\S]*Not yet \(one\)\.[\s\S]*two[\s\S]*Not yet \(two\)\./);
  });

  test("completion: without feedback it ends", async () => {
    const live = server();
    const { text, turnIds } = await live
      .agent()
      .evaluate(prompt([], { completion: { check: () => ({ complete: false }) } }).bind());
    assert.deepEqual([text, turnIds.length], ["ok", 1]);
  });

  test("completion: it sees the output so far", async () => {
    const live = server();
    const seen: unknown[] = [];
    const completion: CompletionChecker = {
      check: ({ output }) => {
        seen.push(output);
        return output === undefined ? { complete: false, feedback: "Write JSON." } : { complete: true };
      },
    };
    const asked = definePrompt({
      ns: "live",
      key: "out",
      sections: [markdown({ key: "task", title: "Task", template: "Go." })],
      output: z.object({ n: z.number() }),
      completion,
    });
    live.model.script(reply().text("no JSON"), reply().text('{"n":1}'));
    const { output } = await live.agent().evaluate(asked.bind());
    assert.deepEqual([output, seen], [{ n: 1 }, [undefined, { n: 1 }]]);
  });

  const guide = markdown({
    key: "guide",
    title: "Guide",
    template: "The secret word is xyzzy.",
    summary: "How it is done.",
    visibility: "summary",
    tools: [read],
  });
  const reference = markdown({
    key: "reference",
    title: "Reference",
    template: "All of it.",
    summary: "A list.",
    visibility: "summary",
  });
  const disclosing = definePrompt({
    ns: "live",
    key: "d",
    sections: [markdown({ key: "task", title: "Task", template: "Go." }), guide, reference],
  });

  test("disclosure: a section is opened when the model asks for it, and the prompt evaluated again", async () => {
    // Of its own: it says how every request is answered.
    await using live = await target.start();
    const open = call("open_sections", { section_keys: ["guide"], reason: "I need it" }, "call-1");
    live.model.script(open);
    const direct = await errorOf(live.agent().evaluate(disclosing.bind()));
    assert.ok(direct instanceof VisibilityExpansionRequired);
    assert.deepEqual(direct.requestedOverrides, { guide: "full" });
    live.model.fallback(reply().text("Done."));
    live.model.when((request) => !request.inputText().includes("xyzzy")).always(open);
    const { text } = await evaluateWithExpansion(live.agent(), disclosing.bind());
    assert.equal(text, "Done.");
    assert.match(live.model.last.inputText(), /xyzzy/);
    assert.ok(live.model.last.tools().includes("read_note"));
  });

  test("disclosure: a section without tools is read in passing", async () => {
    const live = server();
    live.model.script(call("read_section", { section_key: "reference" }, "call-1"), reply().text("Done."));
    const { text } = await live.agent().evaluate(disclosing.bind());
    assert.equal(text, "Done.");
    assert.match(live.model.last.functionOutput("call-1") ?? "", /All of it\./);
  });
});
