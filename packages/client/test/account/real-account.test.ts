import assert from "node:assert/strict";
import { test } from "node:test";
import { LoginError, RpcError } from "@quire/client";
import { namespacesOf } from "@quire/client/groups";
import { eventually, skipWithoutCodex, testedVersions } from "@quire/testkit";
import { realPort } from "../support/real-port.ts";

const timeout = 120_000;

for (const version of testedVersions({ since: "0.118.0" })) {
  const skip = await skipWithoutCodex(version);

  test(`login and logout on Codex ${version}`, { skip, timeout }, async () => {
    await using port = await realPort(version);
    const { account } = namespacesOf(port);
    const modes: unknown[] = [];
    account.onUpdated(({ authMode }) => modes.push(authMode));

    const key = await account.login({ apiKey: "sk-not-real" });
    assert.equal(key.type, "apiKey");
    await key.completed;
    await account.logout();
    assert.equal((await account.read()).account, null);
    // What is told of a change may come after the reply to the call that made it.
    await eventually(() => modes.length >= 2);
    assert.deepEqual(modes, ["apikey", null]);
    await assert.rejects(
      account.rateLimits(),
      (error) => RpcError.is(error) && /authentication required/.test(error.message),
    );

    // Codex listens on a fixed port for the browser to come back, so another test run may be in the way for a moment.
    await eventually(async () => {
      const browser = await account.login("chatgpt");
      assert.match(browser.url, /^https:\/\/auth\.openai\.com\//);
      assert.equal(await browser.cancel(), "canceled");
      await assert.rejects(browser.completed, LoginError.is);
      assert.equal(await browser.cancel(), "notFound");
      return true;
    });
  });
}
