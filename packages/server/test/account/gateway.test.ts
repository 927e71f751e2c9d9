/** Model providers behind a gateway at which users sign in. The real Codex needs a keyring for it; ours, a file. */
import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { httpError, mockResponses, reply, tempDir } from "@quire/testkit";
import { testServer } from "../support/test-server.ts";
import { OAuthServer } from "./oauth-server.ts";

const changed = "account/gatewayOAuth/changed";

async function behindGateway(delivery = "") {
  const oauth = new OAuthServer();
  const model = await mockResponses();
  const folder = await tempDir("quire-gateway-");
  const config = [
    'model = "mock"',
    'model_provider = "mock"',
    "[model_providers.mock]",
    'name = "mock"',
    `base_url = "${model.url}"`,
    'http_headers = { cookie = "a=b" }',
    "request_max_retries = 0",
    "stream_max_retries = 0",
    "[model_providers.mock.gateway_oauth]",
    `authorization_url = "${oauth.url}/authorize"`,
    `token_url = "${oauth.url}/oauth/token"`,
    'client_id = "client"',
    delivery,
  ];
  writeFileSync(join(folder.path, "config.toml"), config.join("\n"));
  const server = await testServer({ home: folder.path });
  const { client } = server;
  const signIn = async () => {
    const seen = client.received.length;
    const login = client.request("account/gatewayOAuth/login");
    const { authUrl } = await client.waitFor(
      changed,
      (params) => params.authUrl && client.received.findLastIndex((each) => each.params === params) >= seen,
    );
    await fetch(oauth.authorize(authUrl));
    await login;
  };
  return {
    ...{ oauth, model, client, server, home: folder.path, signIn },
    run: async () => client.turn(await client.thread()),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await model.close();
      await oauth[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("who has not signed in is told so; afterwards requests carry the token, also of a server started anew", async () => {
  await using it = await behindGateway();
  assert.match((await it.run()).error?.message ?? "", /^Gateway sign-in required/);
  assert.equal(it.model.requests.length, 0, "nothing was sent without a token");
  await it.signIn();
  assert.equal((await it.client.request("account/gatewayOAuth/read")).status, "succeeded");
  assert.equal((await it.run()).status, "completed");
  const carried = it.model.last?.headers.authorization;
  assert.match(String(carried), /^Bearer ./);
  assert.equal(statSync(join(it.home, ".gateway-credentials.json")).mode & 0o777, 0o600);
  await using again = await testServer({ home: it.home });
  const { client } = again;
  await client.turn(await client.thread());
  assert.equal(it.model.last?.headers.authorization, carried);
});

test("a token that the gateway refuses is renewed once, and the user asked again when that fails", async () => {
  await using it = await behindGateway();
  await it.signIn();
  it.model.script(httpError(401), reply().text("hello"));
  assert.equal((await it.run()).status, "completed");
  const [refused, renewed] = it.model.requests.map(({ headers }) => headers.authorization);
  assert.notEqual(refused, renewed);
  it.oauth.override = () => Response.json({ error: "invalid_grant" }, { status: 400 });
  it.model.script(httpError(401));
  assert.equal((await it.run()).status, "failed");
  await it.client.waitFor(changed, ({ status }) => status === "notReady");
});

test("a gateway that wants a cookie, or another header, gets that", async () => {
  await using cookie = await behindGateway('delivery = { kind = "cookie", name = "gate" }');
  await cookie.signIn();
  await cookie.run();
  assert.match(String(cookie.model.last?.headers.cookie), /^a=b; gate=./);
  assert.equal(cookie.model.last?.headers.authorization, undefined);
  await using header = await behindGateway('delivery = { kind = "header", name = "X-Gate", scheme = "Token" }');
  await header.signIn();
  await header.run();
  assert.match(String(header.model.last?.headers["x-gate"]), /^Token ./);
});

test("a sign-in ends with the client that began it, and no other client can end it", async () => {
  await using it = await behindGateway();
  const other = await it.server.connect();
  const login = other.request("account/gatewayOAuth/login").catch((error: Error) => error);
  const { authUrl } = await other.waitFor(changed, (params) => params.authUrl);
  await assert.rejects(it.client.request("account/gatewayOAuth/cancel"), /belongs to another connection/);
  assert.ok(!it.client.received.some(({ params }) => params.authUrl), "the address is for one client alone");
  await other.close();
  await login;
  await it.client.waitFor(changed, ({ status }) => status === "failed");
  await assert.rejects(fetch(new URL(authUrl).searchParams.get("redirect_uri") ?? ""), "the port is free again");
});
