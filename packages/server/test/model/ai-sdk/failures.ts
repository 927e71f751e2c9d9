import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { gate, httpError, reply } from "@quire/testkit";
import type { Scenario } from "./scenario.ts";
import { kindOf, said } from "./stage.ts";

/** Statuses after which nothing helps: the turn fails, in the provider's own words. */
const final: Scenario[] = [
  [400, "badRequest"],
  [401, "unauthorized"],
  [402, "usageLimitExceeded"],
  [403, "unauthorized"],
  [404, "modelNotFound"],
  [413, "badRequest"],
].map(
  ([status, kind]): Scenario => ({
    name: `status ${status} fails the turn, in the provider's words`,
    async run({ client, cwd, mock, wire }) {
      const refused = mock.error(Number(status), "Words of the provider");
      mock.script(refused, refused);
      const turn = await client.turn(await client.thread({ cwd }));
      assert.equal(turn.status, "failed");
      assert.match(turn.error?.message ?? "", /Words of the provider/);
      assert.doesNotMatch(JSON.stringify(client.received), /sk-secret-of-the-user/);
      if (wire.api === "responses") {
        // Codex's kinds, and its retries.
        assert.equal(kindOf(turn), status === 400 ? "other" : "httpConnectionFailed");
        assert.equal(mock.requests.length, status === 400 ? 1 : 2);
      } else {
        assert.equal(kindOf(turn), kind);
        assert.equal(mock.requests.length, 1);
      }
    },
  }),
);

export const failures: Scenario[] = [
  ...final,
  ...[408, 500, 502, 503, 504, 529].map(
    (status): Scenario => ({
      name: `status ${status} is tried again`,
      async run({ client, cwd, mock }) {
        mock.script(mock.error(status, "Not now"), reply().text("Here."));
        assert.equal((await client.turn(await client.thread({ cwd }))).status, "completed");
        assert.deepEqual(said(client), ["Here."]);
      },
    }),
  ),
  {
    name: "status 500 again and again fails the turn",
    options: { retries: 0 },
    async run({ client, cwd, mock }) {
      mock.script(mock.error(500, "It is broken"));
      const { error } = await client.turn(await client.thread({ cwd }));
      assert.equal(error?.codexErrorInfo, "internalServerError");
      assert.match(`${error?.message} ${error?.additionalDetails}`, /It is broken/);
    },
  },
  {
    name: "status 429 waits as long as the provider says",
    async run({ client, cwd, mock }) {
      mock.script(mock.error(429, "Slow down", { "retry-after": "0" }), reply().text("Here."));
      assert.equal((await client.turn(await client.thread({ cwd }))).status, "completed");
      assert.equal(mock.requests.length, 2);
    },
  },
  {
    name: "status 429 without a time fails the turn",
    async run({ client, cwd, mock, wire }) {
      mock.script(mock.error(429, "Slow down"));
      const turn = await client.turn(await client.thread({ cwd }));
      assert.equal(turn.status, "failed");
      assert.equal(kindOf(turn), wire.api === "responses" ? "responseTooManyFailedAttempts" : "rateLimitExceeded");
      assert.match(`${turn.error?.message} ${turn.error?.additionalDetails}`, /Slow down/);
      assert.equal(mock.requests.length, 1);
    },
  },
  {
    name: "a history that is too long is told as such",
    async run({ client, cwd, mock, wire }) {
      const words: Record<string, string> = {
        anthropic: "prompt is too long: 210000 tokens > 200000 maximum",
        gemini: "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
      };
      const text = words[wire.api] ?? "This model's maximum context length is 8192 tokens.";
      // Endpoints of Responses have a code for it.
      const error = { message: text, type: "invalid_request_error", code: "context_length_exceeded" };
      mock.script(wire.api === "responses" ? httpError(400, { error }) : mock.error(400, text));
      const turn = await client.turn(await client.thread({ cwd }));
      assert.equal(kindOf(turn), "contextWindowExceeded");
    },
  },
  {
    name: "a stream that is cut is begun again",
    async run({ client, cwd, mock }) {
      mock.script(reply().text("half", { unfinished: true }).cut(), reply().text("Whole."));
      assert.equal((await client.turn(await client.thread({ cwd }))).status, "completed");
      assert.equal(said(client).at(-1), "Whole.");
    },
  },
  {
    name: "a stream that ends too early is begun again",
    async run({ client, cwd, mock }) {
      mock.script(reply().text("half", { unfinished: true }).truncate(), reply().text("Whole."));
      assert.equal((await client.turn(await client.thread({ cwd }))).status, "completed");
      assert.equal(said(client).at(-1), "Whole.");
    },
  },
  {
    name: "a call whose stream is cut does not run",
    async run({ client, cwd, mock }) {
      mock.script(
        reply().functionCall("exec_command", { cmd: "touch twice", login: false }).cut(),
        reply().text("Whole."),
      );
      assert.equal((await client.turn(await client.thread({ cwd }))).status, "completed");
      assert.equal(existsSync(join(cwd, "twice")), false);
    },
  },
  {
    name: "an error within the stream is tried again",
    async run({ client, cwd, mock, wire }) {
      const codes: Record<string, string> = {
        anthropic: "overloaded_error",
        gemini: "UNAVAILABLE",
        chat: "server_error",
      };
      const code = codes[wire.api];
      const failed =
        code === undefined
          ? reply().failed("server_error", "too busy")
          : reply().text("half", { unfinished: true }).failed(code, "too busy");
      mock.script(failed, reply().text("Whole."));
      const turn = await client.turn(await client.thread({ cwd }));
      assert.equal(turn.status, "completed", turn.error?.message);
    },
  },
  {
    name: "a silent stream is given up and begun again",
    // A busy machine may need several attempts to answer in time.
    options: { retries: 5, config: { "model_providers.own.stream_idle_timeout_ms": 500 } },
    async run({ client, cwd, mock }) {
      mock.script(reply().text(["half", gate()]), reply().text("Whole."));
      mock.fallback(reply().text("Whole."));
      assert.equal((await client.turn(await client.thread({ cwd }))).status, "completed");
      assert.equal(said(client).at(-1), "Whole.");
    },
  },
  {
    name: "an answer that reaches its bound fails the turn and says so",
    async run({ client, cwd, mock }) {
      mock.script(reply().text("much too lo").incomplete("max_output_tokens"));
      const turn = await client.turn(await client.thread({ cwd }));
      assert.equal(turn.status, "failed");
      assert.match(turn.error?.message ?? "", /max_output_tokens/);
    },
  },
  {
    name: "an answer that a filter has stopped fails the turn",
    options: { retries: 0 },
    async run({ client, cwd, mock }) {
      mock.script(reply().text("I will").incomplete("content_filter"));
      const turn = await client.turn(await client.thread({ cwd }));
      assert.equal(turn.status, "failed");
      assert.match(turn.error?.message ?? "", /content_filter|refusal|SAFETY/);
    },
  },
  {
    name: "an address where nobody listens is told",
    options: { retries: 0 },
    async run({ client, cwd, mock }) {
      await mock.close();
      const turn = await client.turn(await client.thread({ cwd }));
      assert.equal(kindOf(turn), "httpConnectionFailed");
    },
  },
];
