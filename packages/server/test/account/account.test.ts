import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { httpError, mockResponses, reply, tempDir } from "@quire/testkit";
import { testServer } from "../support/test-server.ts";
import { OAuthServer, token } from "./oauth-server.ts";

interface Stored {
  readonly auth_mode: string;
  readonly OPENAI_API_KEY: string | null;
  readonly tokens?: {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly account_id: string;
    readonly kept?: string;
  };
}

/** A server whose model wants a login, with an OAuth server of its own. */
async function guarded(auth?: (oauth: OAuthServer) => object) {
  const oauth = new OAuthServer();
  const model = await mockResponses();
  const folder = await tempDir("quire-account-");
  const file = join(folder.path, "auth.json");
  const config = [
    'model = "mock"',
    'model_provider = "mock"',
    `chatgpt_base_url = "${oauth.url}/backend-api"`,
    "[model_providers.mock]",
    'name = "mock"',
    `base_url = "${model.url}"`,
    "requires_openai_auth = true",
    "request_max_retries = 0",
    "stream_max_retries = 0",
  ];
  writeFileSync(join(folder.path, "config.toml"), config.join("\n"));
  if (auth) writeFileSync(file, JSON.stringify(auth(oauth)));
  const env = {
    PATH: process.env.PATH,
    HOME: folder.path,
    CODEX_APP_SERVER_LOGIN_ISSUER: oauth.url,
    QUIRE_LOGIN_PORT: "0",
  };
  const server = await testServer({ home: folder.path, env });
  const client = server.client;
  return {
    oauth,
    model,
    request: (method: string, params?: object) => client.request(method, params),
    file,
    stored: () => JSON.parse(readFileSync(file, "utf8")) as Stored,
    completed: () => client.waitFor("account/login/completed"),
    completedOf: (loginId: string) => client.waitFor("account/login/completed", (params) => params.loginId === loginId),
    run: async () => client.turn(await client.thread()),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await model.close();
      await oauth[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const stored = (oauth: OAuthServer, exp?: number) => ({
  auth_mode: "chatgpt",
  OPENAI_API_KEY: null,
  tokens: {
    id_token: token("old"),
    access_token: token("old", exp === undefined ? {} : { exp }),
    refresh_token: oauth.grant(),
    account_id: "account-1",
    kept: "by others",
  },
  last_refresh: "2026-01-01T00:00:00Z",
});

test("a login in the browser proves itself by its verifier, and its tokens are stored for the owner alone", async () => {
  await using it = await guarded();
  const { authUrl } = await it.request("account/login/start", { type: "chatgpt" });
  const back = it.oauth.authorize(authUrl);
  const wrong = new URL(back);
  wrong.searchParams.set("state", "guessed");
  assert.equal((await fetch(wrong)).status, 400);
  assert.equal((await fetch(new URL("/elsewhere", back))).status, 404);
  const page = await fetch(back);
  assert.equal(page.status, 200);
  assert.doesNotMatch(await page.text(), /eyJ/);
  assert.equal((await it.completed()).success, true);
  const { account } = await it.request("account/read", {});
  assert.deepEqual(account, { type: "chatgpt", email: "ada@example.com", planType: "plus", workspaceName: null });
  assert.equal(statSync(it.file).mode & 0o777, 0o600);
  const { auth_mode: mode, tokens } = it.stored();
  assert.deepEqual([mode, tokens?.account_id], ["chatgpt", "account-1"]);
  await assert.rejects(fetch(back), "the port is free again");
});

test("a login that the user refuses, or the issuer, fails with the reason and stores nothing", async () => {
  await using it = await guarded();
  const { authUrl } = await it.request("account/login/start", { type: "chatgpt" });
  const back = new URL(it.oauth.authorize(authUrl));
  back.searchParams.delete("code");
  back.searchParams.set("error", "access_denied");
  back.searchParams.set("error_description", "<b>no</b>");
  assert.doesNotMatch(await (await fetch(back)).text(), /<b>/);
  const { success, error } = await it.completed();
  assert.deepEqual([success, error], [false, "Login server error: Sign-in failed: <b>no</b>"]);
  assert.equal((await it.request("account/read", {})).account, null);
});

test("a token that is about to end is renewed before it is sent, once for all who need it", async () => {
  await using it = await guarded((oauth) => stored(oauth, Math.floor(Date.now() / 1000) + 10));
  it.model.script(reply().text("one"), reply().text("two"), reply().text("three"));
  const turns = await Promise.all([it.run(), it.run(), it.run()]);
  assert.deepEqual(
    turns.map(({ status }) => status),
    ["completed", "completed", "completed"],
  );
  assert.equal(it.oauth.asked.filter((path) => path === "/oauth/token").length, 1);
  const { tokens } = it.stored();
  assert.ok(it.oauth.holds(tokens?.refresh_token ?? ""));
  assert.equal(tokens?.kept, "by others");
  for (const { headers } of it.model.requests) {
    assert.equal(headers.authorization, `Bearer ${tokens?.access_token}`);
    assert.equal(headers["chatgpt-account-id"], "account-1");
  }
});

test("a token that the model refuses is renewed and the request sent again; a second refusal is final", async () => {
  await using it = await guarded((oauth) => stored(oauth));
  it.model.script(httpError(401, "no"), reply().text("yes"));
  assert.equal((await it.run()).status, "completed");
  it.model.script(httpError(401, "no"), httpError(401, "no again"));
  const failed = await it.run();
  assert.equal(failed.status, "failed");
  assert.match(failed.error?.message ?? "", /no again/);
});

test("a refresh token that was used elsewhere leaves nobody logged in; what another program wrote is taken over", async () => {
  await using it = await guarded((oauth) => ({
    ...stored(oauth),
    tokens: { ...stored(oauth).tokens, refresh_token: "used" },
  }));
  assert.ok((await it.request("account/read", {})).account);
  assert.equal((await it.request("account/read", { refreshToken: true })).account, null);
  writeFileSync(it.file, JSON.stringify(stored(it.oauth)));
  assert.ok((await it.request("account/read", {})).account);
});

test("an issuer that fails for now does not end a login", async () => {
  await using it = await guarded((oauth) => stored(oauth));
  it.oauth.override = (path) => (path === "/oauth/token" ? new Response("busy", { status: 503 }) : undefined);
  assert.ok((await it.request("account/read", { refreshToken: true })).account);
});

test("logging out revokes, and a login that waits is given up with the server", async () => {
  await using it = await guarded((oauth) => stored(oauth));
  const { refresh_token: refreshToken = "" } = it.stored().tokens ?? {};
  await it.request("account/logout");
  assert.equal(it.oauth.holds(refreshToken), false);
  assert.throws(() => it.stored());
  await it.request("account/login/start", { type: "chatgpt" });
});

test("an answer that never comes is not waited for by others: a key can be set meanwhile", async () => {
  await using it = await guarded();
  const release = Promise.withResolvers<Response>();
  it.oauth.override = (path) =>
    path.endsWith("/deviceauth/token")
      ? release.promise
      : path.endsWith("/usercode")
        ? Response.json({ device_auth_id: "d", user_code: "U", interval: 1 })
        : undefined;
  const login = await it.request("account/login/start", { type: "chatgptDeviceCode" });
  await it.request("account/login/start", { type: "apiKey", apiKey: "sk-test-key" });
  const { loginId, success } = await it.completed();
  assert.deepEqual([loginId, success], [login.loginId, false]);
  assert.deepEqual(it.stored(), { auth_mode: "apikey", OPENAI_API_KEY: "sk-test-key" });
  release.resolve(Response.json({}, { status: 403 }));
});

test("files that are broken, or of a kind we do not know, mean that nobody is logged in", async () => {
  await using it = await guarded(() => ({ auth_mode: "agentIdentity", agent_identity: "x" }));
  assert.equal((await it.request("account/read", {})).account, null);
  writeFileSync(it.file, "{ not json");
  assert.equal((await it.request("account/read", {})).account, null);
});

test("a slip in config.toml keeps nobody from reading or changing their login", async () => {
  await using here = await guarded();
  await here.request("account/login/start", { type: "apiKey", apiKey: "sk-1" });
  const config = join(dirname(here.file), "config.toml");
  const text = readFileSync(config, "utf8");
  writeFileSync(config, `${text}\nmodel = = "x"\n`);
  await assert.rejects(here.run(), /config\.toml/);
  const account = { account: { type: "apiKey" }, userId: null, requiresOpenaiAuth: true, workspaceRouting: null };
  assert.deepEqual(await here.request("account/read", {}), account);
  await here.request("account/login/start", { type: "apiKey", apiKey: "sk-2" });
  assert.equal(here.stored().OPENAI_API_KEY, "sk-2");
  writeFileSync(config, text);
  here.model.script(reply().text("ok"));
  await here.run();
  assert.equal(here.model.requests.at(-1)?.headers.authorization, "Bearer sk-2");
});

test("an issuer that is slow is waited for by who asks about the login, and holds no turn up", async () => {
  await using it = await guarded((oauth) => stored(oauth));
  const release = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  it.oauth.override = (path) => {
    if (path !== "/oauth/token") return undefined;
    asked.resolve();
    return release.promise.then(() => Response.json({ access_token: token("new"), refresh_token: it.oauth.grant() }));
  };
  const renewed = it.request("account/read", { refreshToken: true });
  const later = it.request("getAuthStatus", { includeToken: true });
  await asked.promise;
  it.model.script(reply().text("ok"));
  assert.equal((await it.run()).status, "completed");
  release.resolve();
  assert.equal((await renewed).account.type, "chatgpt");
  assert.equal((await later).authToken, token("new"));
});

test("a login whose tokens take their time is complete when they are there, and can be given up before", async () => {
  await using it = await guarded();
  for (const isGivenUp of [true, false]) {
    const release = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    it.oauth.override = (path) => {
      if (path !== "/oauth/token") return undefined;
      asked.resolve();
      const tokens = { id_token: token("late"), access_token: token("late"), refresh_token: it.oauth.grant() };
      return release.promise.then(() => Response.json(tokens));
    };
    const { authUrl, loginId } = await it.request("account/login/start", { type: "chatgpt" });
    const page = fetch(it.oauth.authorize(authUrl)).catch(() => undefined);
    await asked.promise;
    if (isGivenUp) await it.request("account/login/cancel", { loginId });
    else release.resolve();
    await page;
    release.resolve();
    assert.equal((await it.completedOf(loginId)).success, !isGivenUp);
    assert.equal((await it.request("account/read", {})).account?.type, isGivenUp ? undefined : "chatgpt");
  }
});
