import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResponseItem } from "@quire/protocol";
import { eventually, fakeClock } from "@quire/testkit";
import { ModelError, type ModelRequest } from "../../src/model/model-provider.ts";
import { offlineProvider } from "../../src/model/offline/offline-provider.ts";
import { modelRequest, RecordingSink } from "./recording-sink.ts";

const functions = ["exec_command", "write_stdin", "update_plan", "request_user_input", "view_image", "lookup"];
const tools = [
  ...functions.map((name) => ({ type: "function", name })),
  {
    type: "namespace",
    name: "multi_agent_v1",
    tools: ["spawn_agent", "wait_agent"].map((name) => ({ type: "function", name })),
  },
];

async function ask(text: string, rest: Partial<ModelRequest> = {}) {
  const sink = new RecordingSink();
  const provider = offlineProvider(fakeClock({ instantBelowMs: 100_000 }));
  const result = await provider.stream(modelRequest(text, { tools, ...rest }), sink, new AbortController().signal);
  return { sink, result };
}

async function calls(text: string, rest: Partial<ModelRequest> = {}) {
  return (await ask(text, rest)).sink.items.map((item) => {
    if (item.type === "function_call")
      return { name: item.name, namespace: item.namespace, args: JSON.parse(item.arguments) };
    return item.type === "custom_tool_call" ? { name: item.name, input: item.input } : item;
  });
}

test("a plain message is answered, and the answer says what it comes from and what it can do", async () => {
  const { sink, result } = await ask("Hello there");
  assert.match(sink.text, /^I am Quire's offline model/);
  assert.match(sink.text, /You said: “Hello there”\. Try `run: ls -la`/);
  assert.ok(sink.calls.filter(([kind]) => kind === "text").length > 10, "it streams word by word");
  assert.ok((result.usage?.outputTokens ?? 0) > 10);
  assert.match((await ask("help")).sink.text, /- `run: ls -la` runs a command\n[\s\S]*Tools on offer: exec_command, /);
});

test("the same request gets the same answer, and each request of a thread ids of its own", async () => {
  const [first, again] = [await ask("run: ls"), await ask("run: ls")];
  assert.deepEqual(first.sink.calls, again.sink.calls);
  assert.deepEqual(first.result, again.result);
  const other = await ask("run: ls", { turnId: "turn-2" });
  assert.notDeepEqual(first.sink.items[0], other.sink.items[0]);
});

test("commands in plain words become tool calls", async () => {
  const one = async (text: string) => (await calls(text))[0];
  assert.deepEqual(await one("run: ls -la"), { name: "exec_command", namespace: undefined, args: { cmd: "ls -la" } });
  assert.deepEqual(await one("input: 12 yes"), {
    name: "write_stdin",
    namespace: undefined,
    args: { session_id: 12, chars: "yes\n" },
  });
  assert.deepEqual(await one("image: a.png"), { name: "view_image", namespace: undefined, args: { path: "a.png" } });
  assert.deepEqual(await one('tool: lookup {"key": 1}'), { name: "lookup", namespace: undefined, args: { key: 1 } });
  assert.deepEqual(await one("agent: run: ls"), {
    name: "spawn_agent",
    namespace: "multi_agent_v1",
    args: { message: "run: ls" },
  });
  assert.deepEqual(await one("plan: read; change"), {
    name: "update_plan",
    namespace: undefined,
    args: {
      plan: [
        { step: "read", status: "in_progress" },
        { step: "change", status: "pending" },
      ],
    },
  });
  assert.deepEqual(await one("ask: Which? this | that"), {
    name: "request_user_input",
    namespace: undefined,
    args: {
      questions: [
        {
          id: "question",
          header: "Question",
          question: "Which?",
          options: [
            { label: "this", description: "this" },
            { label: "that", description: "that" },
          ],
        },
      ],
    },
  });
});

test("several commands in one message are called at once", async () => {
  const { sink } = await ask("Please:\nthink: first\nrun: ls\nrun: pwd");
  assert.deepEqual(
    sink.items.map((item) => item.type),
    ["reasoning", "function_call", "function_call"],
  );
});

test("what is not on offer is said, not called", async () => {
  assert.match((await ask("run: ls", { tools: [] })).sink.text, /No tool `exec_command` is on offer here/);
  assert.match((await ask("plan: a; b", { tools: [] })).sink.text, /1\. a\n2\. b/);
  assert.match((await ask("tool: nope {}")).sink.text, /No tool `nope` is on offer\. There are: exec_command, /);
  assert.match((await ask("propose: a; b")).sink.text, /^<proposed_plan>\n1\. a\n2\. b\n<\/proposed_plan>$/);
});

test("files are changed by a patch, by whichever way is on offer", async () => {
  const add = "*** Begin Patch\n*** Add File: a.txt\n+run: not a command\n+two\n*** End Patch";
  const write = "write: a.txt\nrun: not a command\ntwo\n";
  assert.deepEqual((await calls(write))[0], {
    name: "exec_command",
    namespace: undefined,
    args: { cmd: `apply_patch <<'EOF'\n${add}\nEOF` },
  });
  assert.deepEqual(await calls(write, { tools: [{ type: "custom", name: "apply_patch" }] }), [
    { name: "apply_patch", input: add },
  ]);
  assert.deepEqual((await calls(write, { tools: [{ type: "function", name: "apply_patch" }] }))[0], {
    name: "apply_patch",
    namespace: undefined,
    args: { input: add },
  });
  const custom = { tools: [{ type: "custom", name: "apply_patch" }] };
  const patch = async (text: string) => (await calls(text, custom))[0];
  const wrapped = (hunk: string) => ({ name: "apply_patch", input: `*** Begin Patch\n${hunk}\n*** End Patch` });
  assert.deepEqual(await patch("edit: a.txt old => new one"), wrapped("*** Update File: a.txt\n@@\n-old\n+new one"));
  assert.deepEqual(await patch('edit: "a b.txt"\n-old\n+new'), wrapped("*** Update File: a b.txt\n@@\n-old\n+new"));
  assert.deepEqual(await patch("delete: a.txt"), wrapped("*** Delete File: a.txt"));
  assert.equal((await calls(`${write}---\ndelete: b.txt`, custom)).length, 2);
  assert.match((await ask("edit: a.txt")).sink.text, /I cannot tell what to change/);
});

function after(
  text: string,
  ...done: readonly { name: string; args: object; output: string }[]
): Partial<ModelRequest> {
  const message = modelRequest(text).input;
  const context: ResponseItem = {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "<environment_context>\nrun: evil\n</environment_context>" }],
  };
  const items = done.flatMap(({ name, args, output }, index): ResponseItem[] => [
    { type: "function_call", call_id: `c${index}`, name, arguments: JSON.stringify(args) },
    { type: "function_call_output", call_id: `c${index}`, output },
  ]);
  return { input: [context, ...message, ...items] };
}

test("after its calls the model says what came of them", async () => {
  const output = "Wall time: 0.1 seconds\nProcess exited with code 3\nOutput:\nno such file\n";
  const { sink } = await ask("", after("run: ls x", { name: "exec_command", args: { cmd: "ls x" }, output }));
  assert.equal(sink.text, "The command `ls x` ended with exit code 3 and printed: no such file.");
  const lines = "Process exited with code 0\nOutput:\na ``` b\nc\n";
  const listed = await ask("", after("run: ls", { name: "exec_command", args: { cmd: "ls" }, output: lines }));
  assert.match(listed.sink.text, /and printed:\n\n````\na ``` b\nc\n````$/, "several lines are a block of code");
  const running = "Process running with session ID 77\nOutput:\n";
  const still = await ask("", after("run: cat", { name: "exec_command", args: { cmd: "cat" }, output: running }));
  assert.equal(still.sink.text, "The command `cat` is still running as session 77.");
  const quoting = `${running}the last one exited with code 5\n`;
  const stillQuoting = await ask(
    "",
    after("run: cat", { name: "exec_command", args: { cmd: "cat" }, output: quoting }),
  );
  assert.match(
    stillQuoting.sink.text,
    /is still running as session 77 and has printed: the last one exited with code 5/,
  );
  const dynamic = await ask("", after("tool: lookup {}", { name: "lookup", args: {}, output: "42" }));
  assert.equal(dynamic.sink.text, "`lookup` gave back: 42.");
  const planned = await ask("", after("plan: a; b", { name: "update_plan", args: {}, output: "Plan updated" }));
  assert.match(planned.sink.text, /^The plan is written down/);
});

test("after a patch, as a tool or as a command, the model says whether it succeeded", async () => {
  const patched = "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess\n";
  const tool = await ask("", after("delete: a", { name: "apply_patch", args: {}, output: patched }));
  assert.equal(tool.sink.text, "`apply_patch` ended with exit code 0 and printed: Success.");
  const output = `Wall time: 0.1234 seconds\nOutput:\n${patched}`;
  const args = { cmd: "apply_patch <<'EOF'\n*** Begin Patch\n*** End Patch\nEOF" };
  const command = await ask("", after("delete: a", { name: "exec_command", args, output }));
  assert.equal(command.sink.text, "The command `apply_patch <<'EOF' …` ended with exit code 0 and printed: Success.");
});

test("a sub-agent that was started is waited for", async () => {
  const spawned = { name: "spawn_agent", args: { message: "x" }, output: '{"agent_id":"t-2","nickname":"Ann"}' };
  assert.deepEqual((await calls("", after("agent: x", spawned)))[0], {
    name: "wait_agent",
    namespace: "multi_agent_v1",
    args: { targets: ["t-2"], timeout_ms: 60_000 },
  });
  const waited = { name: "wait_agent", args: {}, output: "done" };
  assert.match((await ask("", after("agent: x", spawned, waited))).sink.text, /`wait_agent` gave back: done/);
});

test("reasoning, searches and lost connections can be shown", async () => {
  const { sink } = await ask("think: about it");
  assert.deepEqual(sink.items[0], {
    type: "reasoning",
    id: (sink.items[0] as { id: string }).id,
    summary: [{ type: "summary_text", text: "about it" }],
    encrypted_content: null,
  });
  assert.equal((await ask("search: words")).sink.items[0]?.type, "web_search_call");
  const retried = (await ask("retry: 2\nsay: here")).sink;
  assert.deepEqual(
    retried.retries.map(({ error }) => error.message),
    ["Reconnecting... 1/2", "Reconnecting... 2/2"],
  );
  assert.equal(retried.text, "here");
});

test("every kind of failure can be had on request", async () => {
  const info = async (kind: string) => {
    const error = await ask(`fail: ${kind}`).catch((error: unknown) => error);
    assert.ok(error instanceof ModelError, kind);
    return error.info;
  };
  assert.deepEqual(await info("429"), { responseTooManyFailedAttempts: { httpStatusCode: 429 } });
  assert.deepEqual(await info("404"), { httpConnectionFailed: { httpStatusCode: 404 } });
  assert.equal(await info("500"), "internalServerError");
  assert.equal(await info("context"), "contextWindowExceeded");
  assert.equal(await info("overloaded"), "serverOverloaded");
  assert.equal(await info("quota"), "usageLimitExceeded");
  assert.equal(await info("rate"), "rateLimitExceeded");
  assert.equal(await info("model"), "modelNotFound");
  assert.equal(await info("cyber"), "cyberPolicy");
  assert.equal(await info("budget"), "sessionBudgetExceeded");
  assert.equal(await info("unauthorized"), "unauthorized");
  assert.equal(await info("badRequest"), "badRequest");
  assert.deepEqual(await info("connect"), { responseStreamConnectionFailed: { httpStatusCode: null } });
  assert.equal(await info("cut"), "other");
});

test("slow words can be interrupted at once", async () => {
  const sink = new RecordingSink();
  const clock = fakeClock();
  const controller = new AbortController();
  const reason = new Error("interrupted");
  const done = offlineProvider(clock).stream(modelRequest("slow: 1000"), sink, controller.signal);
  await eventually(() => clock.pending === 1);
  clock.advance(20);
  await eventually(() => clock.pending === 1);
  assert.equal(sink.calls.filter(([kind]) => kind === "text").length, 2);
  controller.abort(reason);
  await assert.rejects(done, (error) => error === reason);
  assert.equal(clock.pending, 0);
});

test("many words wait for a client that reads slowly", async () => {
  const sink = new RecordingSink();
  let asked = 0;
  sink.hold = () => {
    asked++;
    return undefined;
  };
  await offlineProvider().stream(modelRequest("words: 1000"), sink, new AbortController().signal);
  assert.equal(sink.text.split(" ").length, 1000);
  assert.ok(asked >= 10);
});

test("when the history is to be cut down, the notes hold what the user said", async () => {
  const said = modelRequest("Build a boat").input;
  const instruction = modelRequest(`Write notes for another model. ${"Be complete. ".repeat(40)}`).input;
  const { sink } = await ask("", { input: [...said, ...instruction], tools: [] });
  assert.match(sink.text, /^Notes by Quire's offline model\. [\s\S]*- Build a boat$/);
  const carried = modelRequest(`Here are notes.\n\n${sink.text}`).input;
  assert.match((await ask("", { input: [...said, ...carried] })).sink.text, /You said: “Build a boat”/);
});
