import assert from "node:assert/strict";
import { test } from "node:test";
import { LoginError } from "@quire/client";
import { type BrowserLogin, type DeviceCodeLogin, namespacesOf } from "@quire/client/groups";
import { FakePort } from "../support/fake-port.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

function browser() {
  const port = new FakePort()
    .on("account/login/start", () => ({ type: "chatgpt", loginId: "L1", authUrl: "https://auth" }))
    .on("account/login/cancel", () => ({ status: "canceled" }));
  const complete = (loginId: string, success = true, error: string | null = null) =>
    port.send("account/login/completed", { loginId, success, error });
  return { port, complete };
}

test("a browser login gives a page to open and resolves when the user is through", async () => {
  const { port, complete } = browser();
  const started: BrowserLogin = await namespacesOf(port).account.login("chatgpt");
  assert.equal(started.url, "https://auth");
  assert.equal(started.userCode, undefined);
  complete("another", false, "not ours");
  complete("L1");
  assert.equal((await started.completed).success, true);
  assert.equal(port.listeners, 0);
  assert.deepEqual(port.paramsOf("account/login/start"), [{ type: "chatgpt" }]);
});

test("a completion that comes before the reply is not lost", async () => {
  const { port, complete } = browser();
  port.on("account/login/start", async () => {
    complete("L0", false);
    complete("L1");
    return { type: "chatgpt", loginId: "L1", authUrl: "https://auth" };
  });
  const { completed } = await namespacesOf(port).account.login({ type: "chatgpt", useHostedLoginSuccessPage: true });
  assert.equal((await completed).loginId, "L1");
});

test("a device code login has a code", async () => {
  const port = new FakePort().on("account/login/start", () => ({
    type: "chatgptDeviceCode",
    loginId: "L1",
    userCode: "ABCD-1234",
    verificationUrl: "https://device",
  }));
  const started: DeviceCodeLogin = await namespacesOf(port).account.login("chatgptDeviceCode");
  assert.deepEqual([started.url, started.userCode], ["https://device", "ABCD-1234"]);
});

test("a failed login rejects with what the server says", async () => {
  const { port, complete } = browser();
  const { completed } = await namespacesOf(port).account.login("chatgpt");
  complete("L1", false, "denied");
  await assert.rejects(
    completed,
    (error) => LoginError.is(error) && error.loginId === "L1" && error.message === "denied",
  );
});

test("cancelling ends the login even when the server sends nothing more", async () => {
  const { port } = browser();
  const { completed, cancel } = await namespacesOf(port).account.login("chatgpt");
  assert.equal(await cancel(), "canceled");
  await assert.rejects(completed, LoginError.is);
  assert.equal(port.listeners, 0);
});

test("aborting cancels the login on the server, and nobody has to await it", async () => {
  const { port } = browser();
  const controller = new AbortController();
  const { completed } = await namespacesOf(port).account.login("chatgpt", { signal: controller.signal });
  controller.abort(new Error("enough"));
  await settle();
  assert.deepEqual(port.paramsOf("account/login/cancel"), [{ loginId: "L1" }]);
  await assert.rejects(completed, /enough/);
});

test("a connection that ends takes its logins along", async () => {
  const { port } = browser();
  const { completed } = await namespacesOf(port).account.login("chatgpt");
  port.end(new Error("gone"));
  await assert.rejects(completed, /gone/);
});

test("keys and tokens need no user, and whether they are good is told", async () => {
  const port = new FakePort().on("account/login/start", (params) => ({ type: params.type as "apiKey" }));
  const complete = (success: boolean, error?: string) =>
    port.send("account/login/completed", { loginId: null, success, error: error ?? null });
  const { completed, url, cancel } = await namespacesOf(port).account.login({ apiKey: "sk-1" });
  complete(true);
  assert.equal((await completed).success, true);
  assert.equal(url, undefined);
  assert.equal(await cancel(), "notFound");
  const tokens = await namespacesOf(port).account.login({ accessToken: "a", chatgptAccountId: "b" });
  complete(false, "no such account");
  await assert.rejects(tokens.completed, (error) => LoginError.is(error) && /no such account/.test(error.message));
  await namespacesOf(port).account.login({ type: "amazonBedrock", apiKey: "k", region: "eu" });
  complete(true);
  assert.deepEqual(port.paramsOf("account/login/start"), [
    { type: "apiKey", apiKey: "sk-1" },
    { type: "chatgptAuthTokens", accessToken: "a", chatgptAccountId: "b" },
    { type: "amazonBedrock", apiKey: "k", region: "eu" },
  ]);
  assert.equal(port.listeners, 0);
});

test("a login that cannot start leaves no listener", async () => {
  const port = new FakePort().on("account/login/start", () => Promise.reject(new Error("no network")));
  await assert.rejects(namespacesOf(port).account.login("chatgpt"), /no network/);
  assert.equal(port.listeners, 0);
});

test("changes of the rate limits are heard until one stops listening", () => {
  const port = new FakePort();
  const seen: unknown[] = [];
  const stop = namespacesOf(port).account.onRateLimits(({ limitId }) => seen.push(limitId));
  port.send("account/rateLimits/updated", { rateLimits: { limitId: "a" } });
  stop();
  port.send("account/rateLimits/updated", { rateLimits: { limitId: "b" } });
  assert.deepEqual(seen, ["a"]);
});
