import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually, type MockResponses, mockChat, mockResponses, type RecordedRequest, reply } from "@quire/testkit";
import type { TestClient } from "../support/test-client.ts";
import { command, type TestHome, testHome, testServer, unattended } from "../support/test-server.ts";

/** A home with a second provider, and what its `config.toml` says besides. */
async function twoProviders(second: MockResponses, { row = "", top = "" } = {}): Promise<TestHome> {
  const it = await testHome();
  const path = join(it.home, "config.toml");
  const first = readFileSync(path, "utf8");
  const other = `[model_providers.other]\nname = "Other"\nbase_url = "${second.url}"\nrequest_max_retries = 0\n`;
  writeFileSync(path, `${top}\n${row}\n${first}\n${other}`);
  return it;
}

/** Waits until so many turns have ended. */
async function ended({ received }: TestClient, count: number): Promise<void> {
  await eventually(() => received.filter(({ method }) => method === "turn/completed").length >= count);
}

const bodyOf = (mock: MockResponses): string => JSON.stringify(mock.last.body);

test("another provider in mid-thread gets nothing that only the first can read, and the first gets its own back", async () => {
  await using other = await mockResponses();
  await using it = await twoProviders(other);
  it.model.script(
    reply().reasoning(["think"], { encrypted: "FIRST-SECRET" }).text("one"),
    reply().reasoning(["more"], { encrypted: "FIRST-AGAIN" }).text("three"),
    reply().text("four"),
  );
  other.script(reply().reasoning(["hm"], { encrypted: "OTHER-SECRET" }).text("two"));
  const resumed = async (modelProvider: string, threadId: string) => {
    const server = await it.open();
    await server.client.request("thread/resume", { threadId, modelProvider, ...unattended });
    await server.client.turn(threadId);
    await server.close();
  };
  const server = await it.open();
  const threadId = await server.client.thread({ ...unattended, cwd: it.cwd });
  await server.client.turn(threadId);
  await server.close();
  await resumed("other", threadId);
  assert.match(bodyOf(other), /one/);
  assert.doesNotMatch(bodyOf(other), /FIRST-SECRET/);
  const said = other.last.body.input.filter(({ role }) => role === "assistant");
  assert.deepEqual(
    said.map(({ id }) => id),
    [undefined],
  );
  await resumed("mock", threadId);
  assert.match(bodyOf(it.model), /FIRST-SECRET.*two/);
  assert.doesNotMatch(bodyOf(it.model), /OTHER-SECRET/);
  const last = await it.open();
  const fork = await last.client.request("thread/fork", { threadId, modelProvider: "other" });
  await last.client.turn(fork.thread.id);
  assert.match(bodyOf(other), /OTHER-SECRET.*three/);
  assert.doesNotMatch(bodyOf(other), /FIRST-/);
});

test("a provider with an outage hands over to the next one, which clients are told", async () => {
  await using other = await mockResponses();
  const row = 'model_providers.mock.fallback = ["other/spare-model"]';
  await using it = await twoProviders(other, { row });
  const { client } = await it.open();
  const threadId = await client.thread({ ...unattended, cwd: it.cwd });
  it.model.script(reply().reasoning(["think"], { encrypted: "FIRST-SECRET" }).text("one"));
  await client.turn(threadId);
  it.model.script(it.model.error(503, "down"));
  other.script(reply().reasoning(["hm"], { encrypted: "OTHER-SECRET" }).text("two"));
  assert.equal((await client.turn(threadId)).status, "completed");
  assert.equal(other.last.body.model, "spare-model");
  assert.doesNotMatch(bodyOf(other), /FIRST-SECRET/);
  const { fromModel, toModel } = await client.waitFor("model/rerouted");
  assert.deepEqual([fromModel, toModel], ["mock-model", "spare-model"]);
  await client.waitFor("warning", ({ message }) =>
    /spare-model of Other is asked in place of mock-model: .*503/.test(message),
  );
  it.model.script(reply().text("three"));
  await client.turn(threadId);
  assert.match(bodyOf(it.model), /FIRST-SECRET.*two/);
  assert.doesNotMatch(bodyOf(it.model), /OTHER-SECRET/);
  // A refusal is no outage.
  it.model.script(it.model.error(400, "no such model"));
  assert.equal((await client.turn(threadId)).status, "failed");
  assert.equal(other.requests.length, 1);
});

test("a compaction that is handed over is told, too", async () => {
  await using other = await mockResponses();
  await using it = await twoProviders(other, { row: 'model_providers.mock.fallback = ["other/spare-model"]' });
  const { client } = await it.open();
  const threadId = await client.thread({ ...unattended, cwd: it.cwd });
  it.model.script(reply().text("one"), it.model.error(503, "down"));
  other.script(reply().text("THE SUMMARY"));
  const first = await client.turn(threadId);
  await client.request("thread/compact/start", { threadId });
  const { turn } = await client.waitFor("turn/completed", ({ turn }) => turn.id !== first.id);
  assert.equal(turn.status, "completed", turn.error?.message);
  const { toModel } = await client.waitFor("model/rerouted");
  assert.equal(toModel, "spare-model");
});

test("reviews, compactions and agents have the providers and models that the configuration gives them", async () => {
  await using other = await mockResponses();
  const roles = ["review", "compaction", "agents"].map(
    (role) => `model_roles.${role} = { provider = "other", model = "${role}-model" }`,
  );
  await using it = await twoProviders(other, { top: roles.join("\n") });
  const { client } = await it.open();
  const threadId = await client.thread({ ...unattended, cwd: it.cwd });
  it.model.script(reply().text("one"));
  await client.turn(threadId);
  const asked = async (model: string) => (await other.waitFor(({ body }) => body.model === model)).body;
  other.script(reply().text("summary"));
  await client.request("thread/compact/start", { threadId });
  assert.match(JSON.stringify(await asked("compaction-model")), /one/);
  await ended(client, 2);
  other.script(reply().text('{"findings":[]}'));
  await client.request("review/start", { threadId, target: { type: "custom", instructions: "look" } });
  await asked("review-model");
  await ended(client, 3);
  other.script(reply().text("found it"));
  it.model.script(
    reply().functionCall("spawn_agent", { message: "go" }, { namespace: "multi_agent_v1" }),
    reply().text("done"),
  );
  await client.turn(threadId);
  await asked("agents-model");
  assert.deepEqual(
    it.model.requests.map(({ body }) => body.model),
    ["mock-model", "mock-model", "mock-model"],
  );
});

test("an agent is started on another provider where the configuration names its model, and only there", async () => {
  await using other = await mockResponses();
  await using it = await twoProviders(other, { top: 'model_roles.agents = { models = ["other/vendor/small"] }' });
  const { client } = await it.open();
  const spawn = (model: string) =>
    reply().functionCall("spawn_agent", { message: "go", model }, { namespace: "multi_agent_v1" });
  const isAgent = ({ lastUserText }: RecordedRequest) => lastUserText === "go";
  it.model.when(isAgent).always(reply().text("done"));
  it.model.script(spawn("other/vendor/small"), reply().text("one"), spawn("other/vendor/large"), reply().text("two"));
  const threadId = await client.thread({ ...unattended, cwd: it.cwd });
  await client.turn(threadId, "start one");
  assert.equal((await other.waitForRequest(0)).body.model, "vendor/small");
  assert.match(JSON.stringify(it.model.requests[0]?.body.tools), /Also other\/vendor\/small: take one/);
  await client.turn(threadId, "start another");
  const large = await it.model.waitFor(({ body }) => body.model === "other/vendor/large");
  assert.ok(isAgent(large), "a name that the configuration does not have is a model of the same provider");
  assert.equal(other.requests.length, 1);
});

test("the guardian judges with the provider and model that the configuration gives it, on any wire", async () => {
  await using other = await mockChat();
  const row = `[model_providers.judge]\nbase_url = "${other.url}"\nwire_api = "chat"\n`;
  await using it = await testServer({
    config: { config: { "model_roles.guardian": { provider: "judge", model: "judge-model" } }, toml: row },
  });
  const verdict = { outcome: "allow", risk_level: "low", user_authorization: "high", rationale: "fine" };
  other.script(reply().text(JSON.stringify(verdict)));
  const escalated = { sandbox_permissions: "require_escalated", justification: "May I?" };
  it.model.script(command("touch made", escalated), reply().text("done"));
  const { client, cwd } = it;
  const reviewed = { approvalPolicy: "on-request", sandbox: "read-only", approvalsReviewer: "auto_review" };
  await client.turn(await client.thread({ cwd, ...reviewed }));
  assert.ok(existsSync(join(cwd, "made")));
  assert.equal(other.last.body.model, "judge-model");
  assert.deepEqual(other.refused, []);
  assert.ok(!JSON.stringify(it.model.requests.map(({ body }) => body)).includes("risk_level"));
});

test("Codex's own key for the model of reviews counts", async () => {
  await using other = await mockResponses();
  await using it = await twoProviders(other, { top: 'review_model = "careful-model"' });
  const { client } = await it.open();
  const threadId = await client.thread({ ...unattended, cwd: it.cwd });
  it.model.script(reply().text('{"findings":[]}'));
  await client.request("review/start", { threadId, target: { type: "custom", instructions: "look" } });
  await client.waitFor("item/completed", ({ item }) => item.type === "exitedReviewMode");
  assert.equal(it.model.last.body.model, "careful-model");
});
