/** What is particular to one provider: where its key goes, where its cache is marked, what its models lack. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { eventually, reply } from "@quire/testkit";
import { input } from "../../support/test-client.ts";
import { plan } from "./scenario.ts";
import { said, stage, wireNamed } from "./stage.ts";

const outputSchema = {
  type: "object",
  properties: { answer: { type: "number" } },
  required: ["answer"],
  additionalProperties: false,
};

describe("a key", () => {
  for (const [name, header, value] of [
    ["chat", "authorization", "Bearer sk-secret-of-the-user"],
    ["anthropic", "x-api-key", "sk-secret-of-the-user"],
    ["gemini", "x-goog-api-key", "sk-secret-of-the-user"],
  ] as const) {
    test(`goes where ${name} wants it, and configured headers and parameters with it`, async () => {
      const rows = { "model_providers.own.http_headers.x-team": "red", "model_providers.own.query_params.v": "2" };
      await using set = await stage(wireNamed(name), { config: rows });
      await set.client.turn(await set.client.thread({ cwd: set.cwd }));
      const { headers } = set.mock.last;
      assert.equal(headers[header], value);
      assert.equal(headers["x-team"], "red");
      const keys = ["authorization", "x-api-key", "x-goog-api-key"].filter((each) => headers[each] !== undefined);
      assert.deepEqual(keys, [header]);
      assert.doesNotMatch(JSON.stringify(headers), /set-by-quire/);
    });
  }

  test("that a program prints is a bearer token on every wire", async () => {
    const rows = { "model_providers.own.auth.command": "echo", "model_providers.own.auth.args": ["a-fresh-token"] };
    await using set = await stage(wireNamed("anthropic"), { config: rows, key: false });
    const turn = await set.client.turn(await set.client.thread({ cwd: set.cwd }));
    assert.equal(turn.status, "completed", turn.error?.message);
    assert.equal(set.mock.last.headers.authorization, "Bearer a-fresh-token");
    assert.equal(set.mock.last.headers["x-api-key"], undefined);
  });

  test("does not follow a redirect to another address", async () => {
    const seen: string[] = [];
    const other = createServer((request, response) => {
      seen.push(request.url ?? "");
      response.end();
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/messages`;
    await using set = await stage(wireNamed("anthropic"));
    set.mock.script({ status: 307, body: "", headers: { location } });
    const turn = await set.client.turn(await set.client.thread({ cwd: set.cwd }));
    assert.match(turn.error?.message ?? "", /redirects to .*: set base_url to it/);
    assert.deepEqual(seen, []);
    other.close();
  });
});

describe("Anthropic's cache", () => {
  test("is marked after the instructions, at the end of the request before, and at the end", async () => {
    await using set = await stage(wireNamed("anthropic"));
    const threadId = await set.client.thread({ cwd: set.cwd });
    for (const word of ["one", "two"]) {
      set.mock.script(reply().functionCall("update_plan", plan), reply().text(word));
      await set.client.turn(threadId, word);
    }
    type Block = { cache_control?: object };
    const marksOf = (sent: Readonly<Record<string, unknown>>) => {
      const isMarked = ({ cache_control: mark }: Block) => mark !== undefined;
      const messages = sent.messages as { content: Block[] }[];
      const marked = messages.flatMap(({ content }, index) => (content.some(isMarked) ? [index] : []));
      return { system: (sent.system as Block[]).some(isMarked), marked, last: messages.length - 1 };
    };
    const requests = set.mock.requests.map(({ sent }) => marksOf(sent));
    for (const [index, { system, marked, last }] of requests.entries()) {
      const before = requests[index - 1]?.last;
      assert.ok(system);
      assert.deepEqual(marked, before === undefined ? [last] : [before, last]);
    }
  });
});

describe("a model that takes no schema of its answer", () => {
  test("gives the answer by a function, and is not asked for the schema again", async () => {
    await using set = await stage(wireNamed("chat"));
    const { client, cwd, mock } = set;
    mock.script(mock.error(400, "response_format is not supported by this model"));
    mock.script(
      reply().functionCall("final_answer", { answer: 3 }),
      reply().functionCall("final_answer", { answer: 4 }),
    );
    const threadId = await client.thread({ cwd });
    for (const _ of [1, 2]) {
      const { turn } = await client.request("turn/start", { threadId, input: input("how many"), outputSchema });
      assert.equal((await client.ended(turn.id)).status, "completed");
    }
    assert.deepEqual(said(client), ['{"answer":3}', '{"answer":4}']);
    assert.equal(mock.requests.length, 3);
    assert.equal(mock.last.sent.tool_choice, "required");
    assert.deepEqual(mock.refused, []);
  });

  test("of Anthropic's answers by a function, too", async () => {
    await using set = await stage({ ...wireNamed("anthropic"), model: "claude-3-haiku-20240307" });
    const { client, cwd, mock } = set;
    mock.script(reply().functionCall("json", { answer: 3 }));
    const threadId = await client.thread({ cwd });
    const { turn } = await client.request("turn/start", { threadId, input: input("how many"), outputSchema });
    assert.equal((await client.ended(turn.id)).status, "completed");
    assert.deepEqual(said(client), ['{"answer":3}']);
    assert.deepEqual(mock.refused, []);
  });
});

describe("an endpoint that lacks a part of its API", () => {
  test("is asked without it, once it has refused it, and from then on", async () => {
    await using set = await stage(wireNamed("chat"), { config: { model_reasoning_effort: "low" } });
    const { client, cwd, mock } = set;
    mock.script(mock.error(422, "Extra inputs are not permitted: stream_options"));
    mock.script(mock.error(400, "Unrecognized request argument supplied: reasoning_effort"));
    mock.script(reply().text("one"), reply().text("two"));
    const threadId = await client.thread({ cwd });
    await client.turn(threadId);
    await client.turn(threadId);
    assert.deepEqual(said(client), ["one", "two"]);
    const sent = mock.requests.map(({ sent }) => ["stream_options", "reasoning_effort"].filter((key) => key in sent));
    assert.deepEqual(sent, [["stream_options", "reasoning_effort"], ["reasoning_effort"], [], []]);
    assert.deepEqual(mock.refused, []);
  });

  test("is asked with words of the model between a tool and a user, once it has refused those in a row", async () => {
    await using set = await stage(wireNamed("chat"));
    const { client, cwd, mock } = set;
    const cmd = "touch begun; while [ ! -e go ]; do sleep 0.02; done";
    const call = reply().functionCall("exec_command", { cmd, login: false, yield_time_ms: 30_000 });
    mock.script(call, mock.error(400, "Unexpected role 'user' after role 'tool'"), reply().text("one"));
    mock.script(reply().text("two"));
    const threadId = await client.thread({ cwd });
    const turnId = await client.start(threadId);
    await eventually(() => existsSync(join(cwd, "begun")), { timeoutMs: 60_000 });
    await client.request("turn/steer", { threadId, expectedTurnId: turnId, input: input("and hurry") });
    writeFileSync(join(cwd, "go"), "");
    assert.equal((await client.ended(turnId)).status, "completed");
    await client.turn(threadId);
    assert.deepEqual(said(client), ["one", "two"]);
    const roles = mock.requests.map(({ sent }) => (sent.messages as { role: string }[]).map(({ role }) => role));
    const [, refused = [], taken = [], next = []] = roles;
    assert.deepEqual(refused.slice(-2), ["tool", "user"]);
    assert.deepEqual(taken.slice(-3), ["tool", "assistant", "user"]);
    assert.deepEqual(next.slice(0, taken.length), taken);
    assert.deepEqual(mock.refused, []);
  });

  test("gets the texts of a user as one, not as a list", async () => {
    await using set = await stage(wireNamed("chat"));
    await set.client.turn(await set.client.thread({ cwd: set.cwd }));
    const messages = set.mock.last.sent.messages as { role: string; content: unknown }[];
    for (const { role, content } of messages) assert.equal(typeof content, "string", role);
  });

  test("of its tokens has its answers counted by an estimate", async () => {
    const prices = { "models.open-model.prices": { input: 1, output: 10 } };
    await using set = await stage(wireNamed("chat"), { config: prices });
    const { client, cwd, mock, place } = set;
    mock.script(mock.error(422, "Extra inputs are not permitted: stream_options"), reply().text("one"));
    await client.turn(await client.thread({ cwd }));
    const folder = join(place.home, "costs");
    const lines = readFileSync(join(folder, readdirSync(folder)[0] ?? ""), "utf8")
      .trim()
      .split("\n");
    assert.equal(lines.length, 1);
    assert.ok(JSON.parse(lines[0] ?? "").usd > 0);
  });

  test("that refuses again and again fails the turn", async () => {
    await using set = await stage(wireNamed("chat"));
    set.mock.fallback(set.mock.error(400, "stream_options: no. reasoning_effort: no. response_format: no."));
    assert.equal((await set.client.turn(await set.client.thread({ cwd: set.cwd }))).status, "failed");
    assert.ok(set.mock.requests.length <= 4);
  });
});

describe("redacted reasoning", () => {
  test("goes back as it came", async () => {
    await using set = await stage(wireNamed("anthropic"));
    set.mock.script(
      reply().reasoning([], { encrypted: "REDACTED" }).functionCall("update_plan", plan),
      reply().text("ok"),
    );
    await set.client.turn(await set.client.thread({ cwd: set.cwd }));
    assert.match(JSON.stringify(set.mock.last.sent), /"redacted_thinking","data":"REDACTED"/);
    assert.deepEqual(set.mock.refused, []);
  });
});

describe("limits", () => {
  test("in a provider's headers are told", async () => {
    await using set = await stage(wireNamed("anthropic"));
    const headers = {
      "anthropic-ratelimit-tokens-limit": "1000",
      "anthropic-ratelimit-tokens-remaining": "250",
      "anthropic-ratelimit-tokens-reset": "2030-01-01T00:00:00Z",
    };
    set.mock.script(reply().text("ok").headers(headers));
    await set.client.turn(await set.client.thread({ cwd: set.cwd }));
    const { rateLimits } = await set.client.waitFor("account/rateLimits/updated");
    assert.deepEqual(
      [rateLimits.limitId, rateLimits.primary?.usedPercent, rateLimits.primary?.resetsAt],
      ["own", 75, Date.parse("2030-01-01T00:00:00Z") / 1000],
    );
  });
});
