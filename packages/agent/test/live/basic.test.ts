import assert from "node:assert/strict";
import { test } from "node:test";
import {
  definePrompt,
  markdown,
  PromptEvaluationError,
  PromptExecuted,
  PromptRendered,
  RenderedTools,
  Session,
  StructuredOutputError,
  ToolInvoked,
  ToolResult,
  tool,
} from "@quire/agent";
import { httpError, reply } from "@quire/testkit";
import { z } from "zod";
import { errorOf, hello } from "../support/stage.ts";
import { onEachTarget, sharedBy } from "./targets.ts";

const Report = z.object({ title: z.string(), files: z.array(z.string()), note: z.string().optional() });
const sections = [
  markdown({ key: "task", title: "Task", template: "Report on $repo.", params: z.object({ repo: z.string() }) }),
];
const report = definePrompt({ ns: "live", key: "report", sections, output: Report });
const lookup = tool({
  name: "lookup",
  description: "Looks a ticket up",
  input: z.object({ id: z.number().describe("The number of the ticket") }),
  run: ({ id }) => ToolResult.ok({ id, title: `Ticket ${id}` }),
});

await onEachTarget("11.16, 11.19: basic", [], (target) => {
  const server = sharedBy(target);

  test("basic: a prompt is answered", async () => {
    const live = server();
    live.model.script(reply().text("Hello!", { chunks: 3 }));
    const { text, output } = await live.agent().evaluate(hello.bind());
    assert.deepEqual([text, output], ["Hello!", null]);
    assert.match(live.model.last.lastUserText, /Say hello\./);
  });

  test("basic: tokens are counted over the whole turn, and the model is the one that was asked for", async () => {
    const live = server();
    live.model.script(
      reply().functionCall("exec_command", { cmd: "true" }).usage({ input: 100, cachedInput: 40, output: 10 }),
      reply().text("Done.").usage({ input: 200, output: 20, reasoning: 5 }),
    );
    const { usage } = await live.agent({ model: { model: "some-model", effort: "low" } }).evaluate(hello.bind());
    assert.deepEqual(usage, {
      inputTokens: 300,
      outputTokens: 30,
      cachedInputTokens: 40,
      reasoningOutputTokens: 5,
      totalTokens: 330,
    });
    assert.equal(live.model.last.body.model, "some-model");
  });

  test("output: an object comes back typed, and the model was held to its schema", async () => {
    const live = server();
    live.model.script(reply().text(JSON.stringify({ title: "Quire", files: ["a.ts"], note: null })));
    const { output } = await live.agent().evaluate(report.bind({ repo: "quire" }));
    assert.deepEqual(output, { title: "Quire", files: ["a.ts"] });
    const { text } = live.model.last.body as { text?: { format?: { schema?: { required?: string[] } } } };
    assert.deepEqual(text?.format?.schema?.required, ["title", "files", "note"]);
  });

  test("output: so does an array", async () => {
    const live = server();
    live.model.script(reply().text(JSON.stringify({ items: [{ title: "A", files: [], note: "n" }] })));
    const prompt = definePrompt({ ns: "live", key: "list", sections, output: z.array(Report) });
    const { output } = await live.agent().evaluate(prompt.bind({ repo: "quire" }));
    assert.equal(output[0]?.title, "A");
  });

  test("errors: a failed turn names its phase", async () => {
    const live = server();
    live.model.script(reply().failed("context_length_exceeded", "too long"), httpError(400, "bad"));
    const agent = live.agent();
    const first = await errorOf(agent.evaluate(hello.bind()));
    assert.ok(first instanceof PromptEvaluationError);
    assert.equal(first.phase, "response");
    assert.ok(first.payload?.codexErrorInfo);
    const second = await errorOf(agent.evaluate(hello.bind()));
    assert.ok(second instanceof PromptEvaluationError);
    assert.ok(second.payload?.threadId);
  });

  test("errors: HTTP 400 and a stream that was cut are failures of the request", async () => {
    for (const failure of [() => httpError(400), () => reply().text("hal").cut()]) {
      await using live = await target.start();
      live.model.script(...Array.from({ length: 30 }).map(() => failure()));
      const error = await errorOf(live.agent().evaluate(hello.bind()));
      assert.ok(error instanceof PromptEvaluationError);
      assert.equal(error.phase, "request", error.message);
    }
  });

  test("errors: output that does not fit is told with the text", async () => {
    const live = server();
    live.model.script(reply().text("I would rather not."));
    const error = await errorOf(live.agent().evaluate(report.bind({ repo: "quire" })));
    assert.ok(error instanceof StructuredOutputError);
    assert.equal(error.text, "I would rather not.");
  });

  test("events: rendered and executed are told once each", async () => {
    const live = server();
    const session = new Session();
    await live.agent().evaluate(hello.bind(), { session });
    assert.equal(session.slice(PromptRendered).all().length, 1);
    assert.deepEqual(
      session
        .slice(PromptExecuted)
        .all()
        .map(({ result }) => result.text),
      ["ok"],
    );
    assert.equal(session.slice(PromptExecuted).latest()?.usage?.totalTokens, 110);
  });

  test("events: the tools that were offered are told, and offered they are", async () => {
    const live = server();
    const session = new Session();
    const prompt = definePrompt({
      ns: "live",
      key: "t",
      sections: [markdown({ key: "a", title: "A", template: "Go.", tools: [lookup] })],
    });
    await live.agent().evaluate(prompt.bind(), { session });
    assert.deepEqual(
      session
        .slice(RenderedTools)
        .latest()
        ?.tools.map(({ name }) => name),
      ["lookup"],
    );
    const offered = live.model.last.tool("lookup") as { parameters?: { properties?: object } } | undefined;
    assert.match(JSON.stringify(offered), /The number of the ticket/);
  });

  test("events: native and own tools are told, each once, with their ids", async () => {
    const live = server();
    const session = new Session();
    const prompt = definePrompt({
      ns: "live",
      key: "t",
      sections: [markdown({ key: "a", title: "A", template: "Go.", tools: [lookup] })],
    });
    live.model.script(
      reply().functionCall("exec_command", { cmd: "printf hi" }, { callId: "call-1" }),
      reply().functionCall("lookup", { id: 7 }, { callId: "call-2" }),
      reply().functionCall("exec_command", { cmd: "exit 3" }, { callId: "call-3" }),
      reply().text("Done."),
    );
    await live.agent().evaluate(prompt.bind(), { session });
    assert.deepEqual(
      session
        .slice(ToolInvoked)
        .all()
        .map(({ name, callId, result }) => [name, callId, result.success]),
      [
        ["codex:command", "call-1", true],
        ["lookup", "call-2", true],
        ["codex:command", "call-3", false],
      ],
    );
    assert.match(session.slice(ToolInvoked).all()[0]?.renderedOutput ?? "", /hi/);
  });

  test("events: all of them name the run that they belong to", async () => {
    const live = server();
    const session = new Session();
    live.model.script(reply().functionCall("exec_command", { cmd: "true" }), reply().text("Done."));
    const runContext = { runId: "r-1", attempt: 2 };
    await live.agent().evaluate(hello.bind(), { session, runContext });
    assert.deepEqual(session.slice(PromptRendered).latest()?.runContext, runContext);
    assert.deepEqual(session.slice(ToolInvoked).latest()?.runContext, runContext);
    assert.deepEqual(session.slice(PromptExecuted).latest()?.runContext, runContext);
  });
});
