import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gate, type HttpErrorReply, httpError, type Reply, reply } from "@quire/testkit";
import type { Peer } from "../../lib/peer.ts";
import type { DeclaredDifference, Scenario } from "../../lib/scenario.ts";
import { errorWords, keptAnswer, sameTools } from "../../lib/shared-differences.ts";
import { answerBegins, command, runTurn, startThread } from "../../lib/steps.ts";

/** An answer, or one that is cut off when the client has its first words. */
type Answers = readonly (Reply | HttpErrorReply | "cut off")[];

interface Failing {
  readonly covers: string;
  /** Answers of the model, for one thread each. */
  readonly answers: readonly Answers[];
  readonly retries?: number;
  readonly differences?: readonly DeclaredDifference[];
}

/** Each list of answers gets a thread of its own and a turn, then a second turn to show that the thread still works. */
function failing(name: string, { covers, answers, retries = 0, differences = [errorWords] }: Failing): Scenario {
  return {
    name: `model-errors/${name}`,
    covers,
    differences,
    setup: { retries },
    run: async (stage) => {
      const peer = await stage.connect();
      for (const each of answers) {
        stage.model.script(...each.map((answer) => (answer === "cut off" ? () => cutOff(peer) : answer)));
        const thread = await startThread(peer);
        await runTurn(peer, thread, "hi");
        await runTurn(peer, thread, "again");
      }
    },
  };
}

const refusal = (status: number, message: string, code: string | null = null, type = "invalid_request_error") =>
  httpError(status, { error: { message, type, code } });
/** Cuts the connection only after the text has arrived, however busy the machine. */
const cutOff = (peer: Peer) => reply().text("par", { unfinished: true }).gate(answerBegins(peer, "par")).cut();

/** Models that fail. */
export const modelErrors: readonly Scenario[] = [
  failing("http", {
    covers: "HTTP errors: 400, 401, 403, 404, 500, 503",
    answers: [
      [refusal(400, "bad thing", "bad")],
      [httpError(400, "plain text")],
      [refusal(401, "no key", "invalid_api_key")],
      [refusal(403, "forbidden")],
      [refusal(404, "no model", "model_not_found")],
      [refusal(404, "no such path")],
      [refusal(500, "boom")],
      [refusal(503, "away")],
    ],
  }),
  failing("hook", {
    covers: "A request that the endpoint's own hook denies, by HTTP status and within the stream",
    differences: [],
    answers: [
      [refusal(403, "not here", "inference_hook_denied")],
      [reply().failed("inference_hook_denied", "not here")],
    ],
  }),
  failing("limits", {
    covers: "Rate limits, used-up quotas and overload, by HTTP status and within the stream",
    differences: [
      errorWords,
      { at: "event adds: account/rateLimits/updated", reason: "The limits are reported also when a quota is used up." },
    ],
    answers: [
      [refusal(429, "slow down", "rate_limit_exceeded", "rate_limit")],
      [refusal(429, "limit", null, "usage_limit_reached")],
      [refusal(429, "quota", "insufficient_quota", "insufficient_quota")],
      [reply().failed("insufficient_quota", "no money")],
      [reply().failed("usage_not_included", "no plan")],
      [reply().failed("server_is_overloaded", "busy")],
      [reply().failed("slow_down", "busy")],
      [reply().failed("rate_limit_exceeded", "Rate limit reached. Please try again in 1ms.")],
    ],
  }),
  failing("stream", {
    covers: "Streams that fail, end early or are cut",
    differences: [
      errorWords,
      keptAnswer,
      {
        at: /^event thread\/tokenUsage\/updated params\.tokenUsage\.last/,
        reason: "What an answer has cost that was cut off at its limit is also shown as the latest cost.",
      },
    ],
    answers: [
      [reply().failed("invalid_prompt", "bad prompt")],
      [reply().failed("something_else", "strange")],
      [reply().text("part").incomplete("max_output_tokens")],
      ["cut off"],
      [reply().text("par", { unfinished: true }).truncate()],
      [command("echo hi"), refusal(500, "boom")],
      [reply().raw("data: {not json\n\n").event("response.unknown_thing", { a: 1 }).text("still")],
    ],
  }),
  failing("context", {
    covers: "A full context window: the turn fails, the next one compacts first",
    differences: [
      errorWords,
      sameTools,
      {
        at: "event lacks: account/rateLimits/updated",
        reason: "The limits are reported once for each answer; Codex repeats them when it marks the window as full.",
      },
    ],
    answers: [[reply().failed("context_length_exceeded", "too long")]],
  }),
  failing("retries", {
    covers: "What is tried again, and how the client learns of it",
    retries: 2,
    differences: [errorWords, keptAnswer],
    answers: [
      [refusal(500, "boom"), refusal(500, "boom"), reply().text("fine")],
      ["cut off", "cut off", reply().text("whole")],
      ["cut off", "cut off", "cut off"],
      [reply().failed("something_else", "strange"), reply().text("fine")],
      [reply().failed("server_is_overloaded", "busy")],
      [refusal(429, "slow down", "rate_limit_exceeded", "rate_limit")],
    ],
  }),
  {
    name: "model-errors/idle",
    covers: "A stream that goes silent",
    setup: { config: { "model_providers.mock.stream_idle_timeout_ms": 3000 } },
    run: async (stage) => {
      stage.model.script(reply().text("a", { unfinished: true }).gate(gate()));
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer), "hi");
    },
    differences: [errorWords, keptAnswer],
  },
  {
    name: "model-errors/comments",
    covers: "A stream in which nothing but comments comes is silent, too",
    setup: { config: { "model_providers.mock.stream_idle_timeout_ms": 1500 } },
    run: async (stage) => {
      const pinging = reply().text("a", { unfinished: true });
      for (let n = 0; n < 100; n++) pinging.delay(100).raw(": still there\n\n");
      stage.model.script(pinging.truncate());
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer), "hi");
      stage.observe("given up", (await stage.model.last.ended) === "aborted");
    },
    differences: [errorWords, keptAnswer],
  },
  {
    name: "model-errors/token-command",
    covers: "A provider whose token a program prints, and prints again when it is refused",
    setup: {
      config: {
        "model_providers.mock.auth": { command: "sh", args: ["-c", "pwd >> ../token-runs; echo ' token '"], cwd: "." },
      },
    },
    run: async (stage) => {
      stage.model.script(reply().text("one"), httpError(401), reply().text("two"), httpError(401), httpError(401));
      const peer = await stage.connect();
      const thread = await startThread(peer);
      for (const text of ["a", "b", "c"]) await runTurn(peer, thread, text);
      const folders = new Set(
        readFileSync(join(stage.home, "..", "token-runs"), "utf8")
          .trim()
          .split("\n"),
      );
      stage.observe(
        "runs in the home",
        [...folders].map((folder) => folder === stage.home),
      );
      stage.observe("tokens", [...new Set(stage.model.requests.map(({ headers }) => headers.authorization))]);
    },
  },
  {
    name: "model-errors/provider",
    covers: "Settings of the provider: key from the environment, further headers",
    setup: {
      env: { CONFORMANCE_KEY: "sk-conformance" },
      config: {
        "model_providers.mock.env_key": "CONFORMANCE_KEY",
        "model_providers.mock.http_headers": { "x-conformance": "yes" },
      },
    },
    run: async (stage) => {
      const peer = await stage.connect();
      await runTurn(peer, await startThread(peer), "hi");
    },
  },
];
