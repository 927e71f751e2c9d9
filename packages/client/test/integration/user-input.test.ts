import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClientWarning, CodexClient, policies, type UserInputRequest, WithdrawnError } from "@quire/client";
import { nonInteractiveAnswer } from "@quire/client/questions";
import { gate, listen, mockResponses, realCodex, reply } from "@quire/testkit";
import { sharedAsker } from "./shared-server.ts";
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

const asks = () => reply().functionCall("request_user_input", { questions }, { callId: "call-1" });

/** What the program is warned of, from now on. */
function warningsOf({ client }: Fixture): ClientWarning[] {
  const warnings: ClientWarning[] = [];
  client.on("warning", (warning) => warnings.push(warning));
  return warnings;
}

/** What the model, which asks two questions and then says that it knows, is told, and what the program is warned of. */
async function answers(fixture: Fixture): Promise<[told: unknown, codes: string[]]> {
  const { mock, client } = fixture;
  const warnings = warningsOf(fixture);
  mock.script(asks(), reply().text("I know."));
  const { agentMessage } = await (await client.thread()).run("plan it", planning);
  assert.equal(agentMessage, "I know.");
  const told = JSON.parse(mock.last?.functionOutput("call-1") ?? "") as { answers: unknown };
  return [told.answers, warnings.map(({ code }) => code)];
}

await onEachCodex("questions to the user", "0.98.0", (version) => {
  const asking = sharedAsker(version);

  test("the user is shown the questions, and the model gets the answers", async () => {
    let asked: UserInputRequest | undefined;
    const onUserInput = (request: UserInputRequest) => {
      asked = request;
      return request.answer({ store: "SQLite", name: ["other", "user_note: db2"] });
    };
    const [told, warnings] = await answers(asking({ onUserInput }));
    assert.deepEqual(
      asked?.questions.map(({ id, question, options }) => ({ id, question, options })),
      questions.map(({ id, question, options }) => ({ id, question, options })),
    );
    assert.equal(asked?.itemId, "call-1");
    assert.deepEqual(told, { store: { answers: ["SQLite"] }, name: { answers: ["other", "user_note: db2"] } });
    assert.deepEqual(warnings, []);
  });

  test("a plain object of answers is an answer", async () => {
    const [told, warnings] = await answers(asking({ onUserInput: async () => ({ store: "Postgres" }) }));
    assert.deepEqual(told, { store: { answers: ["Postgres"] } });
    assert.deepEqual(warnings, []);
  });

  test("where nobody answers the questions are skipped with a warning, and the turn goes on", async () => {
    await using fixture = await spawned(version);
    assert.deepEqual(await answers(fixture), [{}, ["declined"]]);
    const onUserInput = () => Promise.reject(new Error("no terminal"));
    assert.deepEqual(await answers(asking({ onUserInput })), [{}, ["handler-failed"]]);
  });

  test("policies answer without a user: nobody is there, nothing, or the first option", async () => {
    const each = (store: string, name: string) => ({ store: { answers: [store] }, name: { answers: [name] } });
    const absent = each(nonInteractiveAnswer, nonInteractiveAnswer);
    assert.deepEqual(await answers(asking(policies.nonInteractive)), [absent, []]);
    assert.deepEqual(await answers(asking(policies.declineAll)), [{}, []]);
    assert.deepEqual(await answers(asking(policies.acceptAll)), [each("Postgres", "main"), []]);
  });

  test("a question is withdrawn when its turn is interrupted", async () => {
    const asked = gate();
    let signal: AbortSignal | undefined;
    const onUserInput = (request: UserInputRequest) => {
      ({ signal } = request);
      asked.open();
      return new Promise<never>(() => {});
    };
    const fixture = asking({ onUserInput });
    const warnings = warningsOf(fixture);
    fixture.mock.script(asks());
    const turn = (await fixture.client.thread()).run("plan it", planning);
    await asked;
    await turn.interrupt();
    assert.equal((await turn).status, "interrupted");
    assert.ok(signal?.reason instanceof WithdrawnError);
    assert.deepEqual(warnings, []);
  });
});

await onEachCodex("two clients on one thread", "0.118.0", (version) => {
  test("both are asked; when one answers, the other's question is withdrawn", async () => {
    await using mock = await mockResponses();
    await using codex = await realCodex(version, { model: mock });
    await using server = await listen(codex);
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
    await using decided = await CodexClient.connect(server.url, { onUserInput: decide });
    await using hesitant = await CodexClient.connect(server.url, { onUserInput: hesitate });
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
