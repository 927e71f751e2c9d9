import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import {
  AgentConfigError,
  type Auth,
  CodexAgent,
  PromptEvaluationError,
  Session,
  type TranscriptEntry,
} from "@quire/agent";
import { RpcError } from "@quire/client";
import type { ScriptedServer } from "@quire/testkit";
import { errorOf, hello, paramsOf, stage } from "../support/stage.ts";

const apiKey = "sk-secret-0123456789abcdef";
/** Says that it is an old version, and can start threads, but no turns. */
const old = (server: ScriptedServer) =>
  server.on("initialize", { userAgent: "quire/0.98.0 (test)" }).on("thread/start", { thread: { id: "t", turns: [] } });
const loggedIn = (server: ScriptedServer) => server.on("account/login/start", { type: "apiKey" });

/** A token that names an account, as ChatGPT's do. */
function jwt(account: string): string {
  const claims = { "https://api.openai.com/auth": { chatgpt_account_id: account } };
  return `header.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.signature`;
}

async function login(auth: Auth, script: (server: ScriptedServer) => unknown = () => {}) {
  const scene = stage(
    (server) => {
      loggedIn(server);
      script(server);
    },
    { client: { auth } },
  );
  await scene.agent.evaluate(hello.bind()).catch((error: unknown) => assert.match(String(error), /Not initialized/));
  assert.deepEqual(scene.server.received.map(({ method }) => method).slice(0, 3), [
    "initialize",
    "initialized",
    "account/login/start",
  ]);
  return paramsOf(scene.server, "account/login/start");
}

test("8.8, 11.18: a key is handed over after the handshake", async () => {
  assert.deepEqual(await login({ apiKey }), { type: "apiKey", apiKey });
});

test("8.8, 11.18: without settings nobody logs in", async () => {
  const scene = stage();
  await scene.agent.evaluate(hello.bind());
  assert.ok(!scene.server.received.some(({ method }) => method.startsWith("account/")));
});

test("8.8, 8.9: tokens go in the form that the server at hand takes", async () => {
  const tokens = { accessToken: "access-token", idToken: jwt("account-1") };
  assert.deepEqual(await login(tokens, old), { type: "chatgptAuthTokens", ...tokens });
  assert.deepEqual(await login(tokens), {
    type: "chatgptAuthTokens",
    accessToken: "access-token",
    chatgptAccountId: "account-1",
  });
  const named = { accessToken: "access-token", chatgptAccountId: "account-2", chatgptPlanType: "pro" };
  assert.deepEqual(await login(named), { type: "chatgptAuthTokens", ...named });
});

test("8.9: what a version needs and does not get is named", async () => {
  const failing = async (auth: Auth, script: (server: ScriptedServer) => unknown = () => {}) =>
    errorOf(stage((server) => void script(server), { client: { auth } }).agent.evaluate(hello.bind()));
  const noId = await failing({ accessToken: "opaque-token" });
  assert.ok(noId instanceof PromptEvaluationError && noId.phase === "request");
  assert.match(noId.message, /chatgptAccountId/);
  assert.match(String(await failing({ accessToken: "opaque-token", chatgptAccountId: "a" }, old)), /idToken/);
  assert.throws(() => new CodexAgent({ client: { auth: { apiKey: "" } } }), AgentConfigError);
});

test("8.8: a login that fails is an error of the request", async () => {
  const scene = stage(
    (server) => server.on("account/login/start", new RpcError({ code: -32600, message: `no good: ${apiKey}` })),
    { client: { auth: { apiKey } } },
  );
  const error = await errorOf(scene.agent.evaluate(hello.bind()));
  assert.ok(error instanceof PromptEvaluationError);
  assert.equal(error.phase, "request");
  assert.match(error.message, /no good: \[redacted\]/);
});

/** A turn in which the server asks for new tokens; gives what it is answered. */
async function refreshed(auth: Auth, script: (server: ScriptedServer) => unknown = () => {}): Promise<unknown> {
  let answer: unknown;
  const scene = stage(
    (server) => {
      loggedIn(server);
      script(server);
      server.once("turn/start", async () => {
        const params = { reason: "unauthorized", previousAccountId: "account-1" };
        answer = await server.request("account/chatgptAuthTokens/refresh", params).catch((error: unknown) => error);
        throw new RpcError({ code: -32600, message: "enough" });
      });
    },
    { client: { auth } },
  );
  await assert.rejects(scene.agent.evaluate(hello.bind()));
  return answer;
}

test("8.10, 11.20: the server gets new tokens when it asks for them", async () => {
  const fresh = { accessToken: "fresh-access", idToken: jwt("account-1") };
  const auth = { accessToken: "stale-access", idToken: jwt("account-1"), refresh: async () => fresh };
  assert.deepEqual(await refreshed(auth), { accessToken: "fresh-access", chatgptAccountId: "account-1" });
  assert.deepEqual(await refreshed(auth, old), fresh);
});

test("8.10: where there are no new tokens the server is told so", async () => {
  assert.ok(RpcError.is(await refreshed({ accessToken: "stale-access", chatgptAccountId: "a" })));
  const failing = { accessToken: "stale", chatgptAccountId: "a", refresh: () => Promise.reject(new Error("no luck")) };
  assert.match(String(await refreshed(failing)), /no luck/);
});

test("8.10: keys and tokens, old and new, are in no event, transcript, error or log", async () => {
  const secrets = [apiKey, "secret-access-1", "secret-id-token-1", "secret-access-2"];
  const seen: unknown[] = [];
  const log = (message: string, details?: unknown) => void seen.push(message, details);
  const auths: Auth[] = [
    { apiKey },
    {
      accessToken: "secret-access-1",
      idToken: "secret-id-token-1",
      chatgptAccountId: "a",
      refresh: () => ({ accessToken: "secret-access-2", chatgptAccountId: "a" }),
    },
  ];
  for (const auth of auths) {
    for (const error of [
      undefined,
      { message: `failed with ${secrets.join(" ")}`, codexErrorInfo: { badRequest: { body: secrets } } },
    ]) {
      const session = new Session();
      const scene = stage(
        (server) => {
          loggedIn(server);
          server.turn({
            items: [
              { type: "request", method: "account/chatgptAuthTokens/refresh", params: { reason: "unauthorized" } },
              { type: "command", command: `echo ${secrets.join(" ")}`, output: secrets.join("\n") },
              { type: "notify", method: "warning", params: { message: secrets.join() } },
              { type: "notify", method: "error", params: { error: { message: secrets.join() }, willRetry: true } },
            ],
            ...(error ? { error } : { text: "done" }),
          });
        },
        { client: { auth }, logger: { info: log, warn: log, error: log } },
      );
      const onTranscript = (entry: TranscriptEntry) => void seen.push(entry);
      const outcome = await scene.agent
        .evaluate(hello.bind(), { session, onTranscript })
        .catch((failure: unknown) => failure);
      seen.push(outcome, session.snapshot({ all: true }).toJSON(), scene.agent);
      const shown = inspect(seen, { depth: 20, maxStringLength: null, maxArrayLength: null });
      const own = secretsOf(auth);
      for (const secret of own) assert.ok(!shown.includes(secret), `${secret} is shown`);
      assert.ok(shown.includes("[redacted]"));
      seen.length = 0;
    }
  }
});

function secretsOf(auth: Auth): string[] {
  return "apiKey" in auth ? [auth.apiKey] : ["secret-access-1", "secret-id-token-1", "secret-access-2"];
}
