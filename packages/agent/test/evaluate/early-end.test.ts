import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  CodexAgent,
  type CodexAgentOptions,
  Deadline,
  DeadlineExceededError,
  PromptEvaluationError,
  PromptRendered,
  record,
  Session,
  ToolInvoked,
  type TranscriptEntry,
  tool,
} from "@quire/agent";
import { assertNoChildren, eventually, fakeClock, gate } from "@quire/testkit";
import { z } from "zod";
import { errorOf, hello, promptWith, stage, toolCall } from "../support/stage.ts";

const stub = fileURLToPath(new URL("../../test/support/stubborn-server.mjs", import.meta.url));

/** An agent that starts the server that never ends a turn. */
function stubborn(mode: string, options: CodexAgentOptions = {}): CodexAgent {
  return new CodexAgent({
    ...options,
    client: { command: [process.execPath, stub, mode], shutdownMs: 50, startupTimeoutMs: 60_000, ...options.client },
  });
}

test("4.9: a deadline that has passed fails before anything is told or started", async () => {
  const clock = fakeClock();
  const deadline = Deadline.in(1000, { clock });
  clock.advance(1000);
  const session = new Session();
  const { agent, servers } = stage();
  for (const options of [{ deadline }, { budget: { deadline } }]) {
    const error = await errorOf(agent.evaluate(hello.bind(), { session, ...options }));
    assert.ok(error instanceof DeadlineExceededError);
    assert.equal(error.phase, "request");
  }
  assert.equal(session.slice(PromptRendered).all().length, 0);
  assert.equal(servers.length, 0);
});

test("9.10, 9.11, 11.18: when time is up the turn is interrupted, and no timer is left", async () => {
  const clock = fakeClock();
  const scene = stage(
    (server) =>
      server.turn({
        items: [
          { type: "message", text: "so far" },
          { type: "wait", until: gate() },
        ],
      }),
    { clock },
  );
  const onTranscript = ({ entryType }: TranscriptEntry) => {
    if (entryType === "assistant") clock.advance(60_000);
  };
  const error = await errorOf(
    scene.agent.evaluate(hello.bind(), { deadline: Deadline.in(60_000, { clock }), onTranscript }),
  );
  assert.ok(error instanceof DeadlineExceededError);
  assert.ok(error instanceof PromptEvaluationError && error.phase === "request");
  const interrupt = scene.server.received.find(({ method }) => method === "turn/interrupt");
  assert.equal(typeof (interrupt?.params as { turnId?: unknown } | undefined)?.turnId, "string");
  assert.equal(error.payload?.text, "so far", "9.13: what was said is in the error");
  assert.equal(clock.pending, 0);
});

test("9.10: an evaluation that ends in time leaves no timer", async () => {
  const clock = fakeClock();
  await stage(() => {}, { clock }).agent.evaluate(hello.bind(), { deadline: Deadline.in(60_000, { clock }) });
  assert.equal(clock.pending, 0);
});

test("9.12, 11.20: a server that ignores the interrupt is killed when its time for that is up", async () => {
  for (const mode of ["", "immortal"]) {
    const clock = fakeClock();
    const agent = stubborn(mode, { clock, client: { interruptGraceMs: 5000 } });
    const onTranscript = ({ detail }: TranscriptEntry) => {
      if (detail?.event === "thread/status/changed") clock.advance(60_000);
    };
    const failing = errorOf(agent.evaluate(hello.bind(), { deadline: Deadline.in(60_000, { clock }), onTranscript }));
    // The deadline's timer has fired; the one that is left is that of the killing.
    await eventually(() => clock.now() >= Date.UTC(2030, 0, 1) + 60_000 && clock.pending === 1);
    clock.advance(4999);
    assert.equal(clock.pending, 1);
    clock.advance(1);
    const error = await failing;
    assert.ok(error instanceof DeadlineExceededError);
    assert.equal(error.payload?.text, "half a sen");
    assert.match(error.payload?.stderr ?? "", /^key none/);
    await assertNoChildren();
  }
});

test("9.14: an abort takes the same way, and rejects with its reason", async () => {
  const abort = new AbortController();
  const reason = new Error("the user has left");
  const scene = stage((server) =>
    server.turn({
      items: [
        { type: "message", text: "x" },
        { type: "wait", until: gate() },
      ],
    }),
  );
  const onTranscript = ({ entryType }: TranscriptEntry) => {
    if (entryType === "assistant") abort.abort(reason);
  };
  assert.equal(await errorOf(scene.agent.evaluate(hello.bind(), { signal: abort.signal, onTranscript })), reason);
  assert.ok(scene.server.received.some(({ method }) => method === "turn/interrupt"));
  const { agent, servers } = stage();
  assert.equal(await errorOf(agent.evaluate(hello.bind(), { signal: abort.signal })), reason);
  assert.equal(servers.length, 0, "aborted before it began: nothing is started");
});

test("9.14, 5.17: handlers are told when the evaluation has to end, and what they did is taken back", async () => {
  const Note = record("test.note", z.object({ text: z.string() }));
  const session = new Session();
  const abort = new AbortController();
  let told: unknown;
  const slow = tool({
    name: "slow",
    description: "Takes its time",
    run: async (_params, { signal, session: own }) => {
      own.dispatch(Note({ text: "half done" }));
      const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      abort.abort(new Error("enough"));
      await stopped;
      told = signal.reason;
      throw new Error("gave up");
    },
  });
  const { agent } = stage((server) => server.turn({ items: [toolCall("slow")], text: "done" }));
  session.slice(Note).seed(Note({ text: "before" }));
  await assert.rejects(agent.evaluate(promptWith(slow).bind(), { session, signal: abort.signal }), /enough/);
  assert.match(String(told), /enough/);
  assert.deepEqual(
    session
      .slice(Note)
      .all()
      .map(({ text }) => text),
    ["before"],
  );
  assert.equal(session.slice(ToolInvoked).latest()?.result.success, false);
});

test("9.13: a turn that somebody else interrupted is an error of the request", async () => {
  const scene = stage(
    (server) => {
      server.turn({ items: [{ type: "command", command: "rm -rf /", approval: true }], text: "done" });
    },
    { client: { approvalPolicy: "on-request", onApproval: () => "cancel" } },
  );
  const error = await errorOf(scene.agent.evaluate(hello.bind()));
  assert.ok(error instanceof PromptEvaluationError);
  assert.deepEqual([error.phase, error.message], ["request", "The turn was interrupted"]);
});

test("4.1, 4.15: a server that does not answer in time is given up and killed", async () => {
  const clock = fakeClock();
  const agent = stubborn("silent", { clock, client: { startupTimeoutMs: 3000 } });
  const failing = errorOf(agent.evaluate(hello.bind()));
  await eventually(() => clock.pending === 1);
  clock.advance(3000);
  const error = await failing;
  assert.ok(error instanceof PromptEvaluationError);
  assert.equal(error.phase, "request");
  assert.match(error.message, /3000 ms \(startupTimeoutMs\)/);
  await assertNoChildren();
});

test("4.16: time that is up while the server starts ends it too", async () => {
  const clock = fakeClock();
  const failing = errorOf(
    stubborn("silent", { clock }).evaluate(hello.bind(), { deadline: Deadline.in(2000, { clock }) }),
  );
  await eventually(() => clock.pending === 2);
  clock.advance(2000);
  assert.ok((await failing) instanceof DeadlineExceededError);
  await assertNoChildren();
});

test("9.6: the last of stderr is in the error, without the secrets of the agent", async () => {
  const secret = "sk-very-secret-0123456789";
  const agent = stubborn("die", { client: { env: { STUB_SECRET: secret } } });
  const error = await errorOf(agent.evaluate(hello.bind()));
  assert.ok(error instanceof PromptEvaluationError);
  assert.match(error.payload?.stderr ?? "", /^key sk-very/, "what is no secret of the agent stays");
  assert.match(
    error.payload?.stderr ?? "",
    new RegExp(`folder ${process.cwd()}`),
    "4.1: it runs in the agent's folder",
  );
  assert.match(error.message, /exited with code 3/);
});
