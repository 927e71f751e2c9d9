import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { LoginError, RpcError, type SpawnOptions, TurnError } from "@quire/client";
import { eventually, type Gate, gate, httpError, isWithin, reply } from "@quire/testkit";
import { type Fixture, onEachCodex, spawned } from "./support.ts";

const accountId = "account-717";

/** Tokens as ChatGPT makes them, but for the signature, at which nobody looks. */
function tokens(name: string) {
  const auth = { chatgpt_account_id: accountId, chatgpt_plan_type: "pro", chatgpt_user_id: "user-1" };
  const claims = { jti: name, email: "ada@example.com", exp: 4_000_000_000, "https://api.openai.com/auth": auth };
  const parts = [JSON.stringify({ alg: "none" }), JSON.stringify(claims), "signature"];
  const accessToken = parts.map((part) => Buffer.from(part).toString("base64url")).join(".");
  // `idToken` is for 0.98, which reads the account from it.
  return { accessToken, idToken: accessToken, chatgptAccountId: accountId, chatgptPlanType: "pro" };
}

/** What Codex needs of ChatGPT: the account, its limits, and logins by code, which wait for the user at `entered`. */
async function chatgpt(entered: Gate): Promise<AsyncDisposable & { readonly url: string }> {
  const { accessToken } = tokens("from-login");
  const window = { used_percent: 42, limit_window_seconds: 18_000, reset_after_seconds: 60, reset_at: 2_000_000_000 };
  const workspace = {
    id: accountId,
    name: "Ada",
    structure: "personal",
    plan_type: "pro",
    workspace_backend_origin: "https://backend.invalid",
    account_routing_override: "us",
  };
  const answers: Record<string, () => object | undefined> = {
    "/backend-api/wham/accounts/check": () => ({ accounts: [workspace], account_ordering: [accountId] }),
    "/backend-api/wham/usage": () => ({
      plan_type: "pro",
      rate_limit: { allowed: true, limit_reached: false, primary_window: window },
    }),
    "/api/accounts/deviceauth/usercode": () => ({ device_auth_id: "device-1", user_code: "ABCD-EFGH", interval: "1" }),
    "/api/accounts/deviceauth/token": () =>
      entered.isOpen
        ? { authorization_code: "code", code_challenge: "challenge", code_verifier: "verifier" }
        : undefined,
    "/oauth/token": () => ({ id_token: accessToken, access_token: accessToken, refresh_token: "refresh" }),
  };
  const server = createServer((request: IncomingMessage, response) => {
    const answer = answers[request.url ?? ""]?.();
    request.resume().on("end", () => {
      response.writeHead(answer ? 200 : 403, { "content-type": "application/json" });
      response.end(JSON.stringify(answer ?? {}));
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A Codex whose model wants a login, with a ChatGPT of its own. */
async function guarded(version: string, options: SpawnOptions = {}): Promise<Fixture & { readonly entered: Gate }> {
  const entered = gate();
  const backend = await chatgpt(entered);
  const fixture = await spawned(version, options, {
    env: { CODEX_APP_SERVER_LOGIN_ISSUER: backend.url },
    config: { "model_providers.mock.requires_openai_auth": true, chatgpt_base_url: `${backend.url}/backend-api` },
  });
  const end = async () => {
    await fixture[Symbol.asyncDispose]();
    await backend[Symbol.asyncDispose]();
  };
  return { ...fixture, entered, [Symbol.asyncDispose]: end };
}

const bearer = ({ accessToken }: { accessToken: string }) => `Bearer ${accessToken}`;

await onEachCodex("login", "0.98.0", (version) => {
  test("a key logs in at once and goes to the model; logging out forgets it", async () => {
    await using fixture = await guarded(version);
    const { mock, client } = fixture;
    const account = client.account;
    const modes: unknown[] = [];
    account.onUpdated(({ authMode }) => modes.push(authMode));
    assert.equal((await account.read()).account, null);

    const { type, completed, url } = await account.login({ apiKey: "sk-not-real" });
    assert.deepEqual([type, url], ["apiKey", undefined]);
    assert.equal((await completed).success, true);
    assert.deepEqual((await account.read()).account, { type: "apiKey" });
    mock.script(reply().text("Welcome."));
    await (await client.thread()).run("hi");
    assert.equal(mock.last?.headers.authorization, "Bearer sk-not-real");

    await account.logout();
    assert.equal((await account.read()).account, null);
    await eventually(() => modes.length === 2);
    assert.deepEqual(modes, ["apikey", null]);
    const isRefused = (error: unknown) => RpcError.is(error) && /authentication required/.test(error.message);
    await assert.rejects(account.rateLimits(), isRefused);
  });

  test("tokens that the program holds log in, and it is asked for new ones when they have run out", async () => {
    const asked: unknown[] = [];
    await using fixture = await guarded(version, {
      onAuthRefresh: ({ reason, previousAccountId }) => {
        asked.push([reason, previousAccountId]);
        return tokens("second");
      },
    });
    const { mock, client } = fixture;
    const account = client.account;
    const login = await account.login(tokens("first"));
    assert.equal(login.type, "chatgptAuthTokens");
    assert.equal((await login.completed).success, true);
    const { account: who } = await account.read();
    assert.ok(who?.type === "chatgpt");
    assert.deepEqual([who.email, who.planType], ["ada@example.com", "pro"]);
    const { rateLimits } = await account.rateLimits();
    assert.equal(rateLimits.primary?.usedPercent, 42);

    mock.script(httpError(401, "expired"), reply().text("Welcome back."));
    assert.equal((await (await client.thread()).run("hi")).agentMessage, "Welcome back.");
    assert.deepEqual(asked, [["unauthorized", accountId]]);
    const sent = mock.requests.map(({ headers }) => [headers.authorization, headers["chatgpt-account-id"]]);
    assert.deepEqual(sent, [
      [bearer(tokens("first")), accountId],
      [bearer(tokens("second")), accountId],
    ]);
  });

  test("a turn whose tokens have run out fails, where nobody gives new ones", async () => {
    await using fixture = await guarded(version);
    const { mock, client } = fixture;
    await client.account.login(tokens("first"));
    mock.script(httpError(401, "expired"));
    await assert.rejects(Promise.resolve((await client.thread()).run("hi")), TurnError.is);
  });

  test("a login in the browser can be begun, and given up", async () => {
    await using fixture = await spawned(version);
    const account = fixture.client.account;
    // Codex listens on one port for the browser to come back: two logins at once on a machine disturb each other.
    await eventually(async () => {
      const login = await account.login("chatgpt");
      assert.match(login.url, /^https:\/\/auth\.openai\.com\/.*redirect_uri=http/);
      assert.equal(await login.cancel(), "canceled");
      await assert.rejects(login.completed, (error) => LoginError.is(error) && error.loginId === login.loginId);
      assert.equal(await login.cancel(), "notFound");
      return true;
    });
  });
});

// 0.98 knows no such login; that of later versions goes to OpenAI and nowhere else, so there is nobody to answer it here.
await onEachCodex(
  "login by code that cannot be",
  "0.98.0",
  (version) => {
    test("it fails at once, with the server's reason", async () => {
      await using fixture = await spawned(version, {}, { env: { HTTPS_PROXY: "http://127.0.0.1:1" } });
      const reason = isWithin(version, { until: "0.110.0" })
        ? /unknown variant `chatgptDeviceCode`/
        : /failed to request device code/;
      const isClean = (error: unknown) => RpcError.is(error) && reason.test(error.message);
      await assert.rejects(fixture.client.account.login("chatgptDeviceCode"), isClean);
    });
  },
  "0.152.0",
);

await onEachCodex("login by code", "0.160.0", (version) => {
  test("the user gets a page and a code, and is logged in when it was entered", async () => {
    await using fixture = await guarded(version);
    const account = fixture.client.account;
    const login = await account.login("chatgptDeviceCode");
    assert.match(login.url, /\/codex\/device$/);
    assert.equal(login.userCode, "ABCD-EFGH");
    assert.equal((await account.read()).account, null);
    fixture.entered.open();
    assert.equal((await login.completed).success, true);
    const { account: who } = await account.read();
    assert.equal(who?.type === "chatgpt" && who.email, "ada@example.com");
    await account.logout();
    assert.equal((await account.read()).account, null);
  });

  test("a login by code can be given up, by call and by signal", async () => {
    await using fixture = await guarded(version);
    const account = fixture.client.account;
    const first = await account.login("chatgptDeviceCode");
    assert.equal(await first.cancel(), "canceled");
    await assert.rejects(first.completed, LoginError.is);
    const stop = new AbortController();
    const second = await account.login("chatgptDeviceCode", { signal: stop.signal });
    stop.abort(new Error("the user left"));
    await assert.rejects(second.completed, /the user left/);
    await eventually(async () => (await second.cancel()) === "notFound");
  });
});
