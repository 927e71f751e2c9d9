/** Model providers behind a gateway at which users sign in. The real Codex needs a keyring for it; ours, a file. */
import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { httpError, mockResponses, reply, tempDir } from "@quire/testkit";
import { embedded } from "../support/embedded.ts";
import { Talk } from "../support/talk.ts";
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
  const server = await embedded({ home: folder.path });
  const talk = new Talk(await server.connect(), [changed, "turn/completed"]);
  const signIn = async () => {
    const seen = talk.heard.length;
    const login = talk.call("account/gatewayOAuth/login");
    const { authUrl } = await talk.told(
      changed,
      (params) => params.authUrl && talk.heard.findLastIndex((each) => each.params === params) >= seen,
    );
    await fetch(oauth.authorize(authUrl));
    await login;
  };
  return {
    ...{ oauth, model, talk, server, home: folder.path, signIn },
    run: async () => talk.turn(await talk.thread()),
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
  assert.match((await it.run()).error.message, /^Gateway sign-in required/);
  assert.equal(it.model.requests.length, 0, "nothing was sent without a token");
  await it.signIn();
  assert.equal((await it.talk.call("account/gatewayOAuth/read")).status, "succeeded");
  assert.equal((await it.run()).status, "completed");
  const carried = it.model.last?.headers.authorization;
  assert.match(String(carried), /^Bearer ./);
  assert.equal(statSync(join(it.home, ".gateway-credentials.json")).mode & 0o777, 0o600);
  await using again = await embedded({ home: it.home });
  const talk = new Talk(await again.connect(), ["turn/completed"]);
  await talk.turn(await talk.thread());
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
  await it.talk.told(changed, ({ status }) => status === "notReady");
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
  const other = new Talk(await it.server.connect(), [changed]);
  const login = other.call("account/gatewayOAuth/login").catch((error: Error) => error);
  const { authUrl } = await other.told(changed, (params) => params.authUrl);
  await assert.rejects(it.talk.call("account/gatewayOAuth/cancel"), /belongs to another connection/);
  assert.ok(!it.talk.heard.some(({ params }) => params.authUrl), "the address is for one client alone");
  await other.client.close();
  await login;
  await it.talk.told(changed, ({ status }) => status === "failed");
  await assert.rejects(fetch(new URL(authUrl).searchParams.get("redirect_uri") ?? ""), "the port is free again");
});
