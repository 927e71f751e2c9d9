import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { test } from "node:test";
import {
  type ClientWarning,
  CodexClient,
  nonInteractiveAnswer,
  policies,
  type QuestionHandlers,
  type UserInputRequest,
  WithdrawnError,
} from "@quire/client";
import { eventually, gate, mockResponses, realCodex, reply } from "@quire/testkit";
import { type Fixture, onEachCodex, spawned } from "./support.ts";

const option = (label: string) => ({ label, description: `${label} it is` });
const questions = [
  { id: "store", header: "Store", question: "Where to?", options: [option("Postgres"), option("SQLite")] },
  { id: "name", header: "Name", question: "What name?", options: [option("main"), option("other")] },
];

/** The mode in which the model may ask the user. */
const planning = {
  collaborationMode: {
    mode: "plan" as const,
    settings: { model: "mock-model", reasoning_effort: null, developer_instructions: null },
  },
};

/** A model that asks two questions and then says that it knows. */
async function asker(version: string, handlers: QuestionHandlers): Promise<Fixture & { warnings: ClientWarning[] }> {
  const fixture = await spawned(version, handlers);
  const warnings: ClientWarning[] = [];
  fixture.client.on("warning", (warning) => warnings.push(warning));
  fixture.mock.script(
    reply().functionCall("request_user_input", { questions }, { callId: "call-1" }),
    reply().text("I know."),
  );
  return { ...fixture, warnings };
}

/** What the model is told and what the program is warned of. */
async function answers(version: string, handlers: QuestionHandlers): Promise<[told: unknown, codes: string[]]> {
  await using fixture = await asker(version, handlers);
  const { agentMessage } = await (await fixture.client.thread()).run("plan it", planning);
  assert.equal(agentMessage, "I know.");
  const told = JSON.parse(fixture.mock.last?.functionOutput("call-1") ?? "") as { answers: unknown };
  return [told.answers, fixture.warnings.map(({ code }) => code)];
}

await onEachCodex("questions to the user", "0.98.0", (version) => {
  test("the user is shown the questions, and the model gets the answers", async () => {
    let asked: UserInputRequest | undefined;
    const [told, warnings] = await answers(version, {
      onUserInput: (request) => {
        asked = request;
        return request.answer({ store: "SQLite", name: ["other", "user_note: db2"] });
      },
    });
    assert.deepEqual(
      asked?.questions.map(({ id, question, options }) => ({ id, question, options })),
      questions.map(({ id, question, options }) => ({ id, question, options })),
    );
    assert.equal(asked?.itemId, "call-1");
    assert.deepEqual(told, { store: { answers: ["SQLite"] }, name: { answers: ["other", "user_note: db2"] } });
    assert.deepEqual(warnings, []);
  });

  test("a plain object of answers is an answer", async () => {
    const [told, warnings] = await answers(version, { onUserInput: async () => ({ store: "Postgres" }) });
    assert.deepEqual(told, { store: { answers: ["Postgres"] } });
    assert.deepEqual(warnings, []);
  });

  test("where nobody answers the questions are skipped with a warning, and the turn goes on", async () => {
    assert.deepEqual(await answers(version, {}), [{}, ["declined"]]);
    const onUserInput = () => Promise.reject(new Error("no terminal"));
    assert.deepEqual(await answers(version, { onUserInput }), [{}, ["handler-failed"]]);
  });

  test("policies answer without a user: nobody is there, nothing, or the first option", async () => {
    const each = (store: string, name: string) => ({ store: { answers: [store] }, name: { answers: [name] } });
    const absent = each(nonInteractiveAnswer, nonInteractiveAnswer);
    assert.deepEqual(await answers(version, policies.nonInteractive), [absent, []]);
    assert.deepEqual(await answers(version, policies.declineAll), [{}, []]);
    assert.deepEqual(await answers(version, policies.acceptAll), [each("Postgres", "main"), []]);
  });

  test("a question is withdrawn when its turn is interrupted", async () => {
    const asked = gate();
    let signal: AbortSignal | undefined;
    await using fixture = await asker(version, {
      onUserInput: (request) => {
        ({ signal } = request);
        asked.open();
        return new Promise<never>(() => {});
      },
    });
    const turn = (await fixture.client.thread()).run("plan it", planning);
    await asked;
    await turn.interrupt();
    assert.equal((await turn).status, "interrupted");
    assert.ok(signal?.reason instanceof WithdrawnError);
    assert.deepEqual(fixture.warnings, []);
  });
});

await onEachCodex("two clients on one thread", "0.118.0", (version) => {
  test("both are asked; when one answers, the other's question is withdrawn", async () => {
    await using mock = await mockResponses();
    await using codex = await realCodex(version, { model: mock });
    const probe = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => probe.once("listening", resolve));
    const url = `ws://127.0.0.1:${(probe.address() as { port: number }).port}`;
    await new Promise((resolve) => probe.close(resolve));
    spawn(codex.command, [...codex.args, "--listen", url], { env: codex.env, cwd: codex.cwd, stdio: "ignore" });
    const otherAsked = gate();
    const withdrawn = gate();
    const hesitate = ({ signal }: { signal: AbortSignal }) => {
      signal.addEventListener("abort", () => signal.reason instanceof WithdrawnError && withdrawn.open());
      otherAsked.open();
      return new Promise<never>(() => {});
    };
    const decide = async () => {
      await otherAsked;
      return { store: "SQLite" };
    };
    const connect = (handlers: QuestionHandlers) => CodexClient.connect(url, handlers);
    await using decided = await eventually(() => connect({ onUserInput: decide }), { timeoutMs: 20_000 });
    await using hesitant = await connect({ onUserInput: hesitate });
    mock.script(
      reply().text("Hello."),
      reply().functionCall("request_user_input", { questions }, { callId: "call-1" }),
      // The turn cannot end before the question is withdrawn, so its end cannot be what withdraws it.
      reply().gate(withdrawn).text("I know."),
    );
    const thread = await decided.thread();
    await thread.run("hi");
    await hesitant.resume(thread.id);
    assert.equal((await thread.run("plan it", planning)).agentMessage, "I know.");
    assert.match(mock.last?.functionOutput("call-1") ?? "", /SQLite/);
  });
});
