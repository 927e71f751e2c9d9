import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { serveStatus } from "@quire/orchestrator";
import { eventually } from "@quire/testkit";
import { FakeControl } from "../support/fake-control.ts";

const secret = "0123456789abcdef0123";
const body = '{"action":"opened"}';
const sign = (text: string) => createHmac("sha256", secret).update(text).digest("hex");

/** A served status, and what a webhook with these headers is answered. */
function stage(secretNow: () => string | null = () => secret) {
  const control = new FakeControl();
  const server = serveStatus(control, { port: 0, webhookSecret: secretNow });
  const send = async (headers: Record<string, string>, method = "POST") =>
    (await fetch(`${server.url}webhook`, { method, headers, ...(method === "POST" && { body }) })).status;
  const looks = () => control.commands.filter((call) => call === "refresh").length;
  return { send, looks, [Symbol.asyncDispose]: () => server.stop() };
}

describe("webhooks", () => {
  for (const [name, headers] of Object.entries({
    GitHub: { "x-hub-signature-256": `sha256=${sign(body)}`, host: "hooks.example.org" },
    Jira: { "x-hub-signature": `sha256=${sign(body)}` },
    Linear: { "linear-signature": sign(body) },
    GitLab: { "x-gitlab-token": secret },
  })) {
    test(`of ${name} have the tracker looked at, once for all that come together`, async () => {
      await using at = stage();
      assert.deepEqual([await at.send(headers), await at.send(headers), await at.send(headers)], [202, 202, 202]);
      await eventually(() => at.looks() > 0, { timeoutMs: 20_000 });
      assert.equal(at.looks(), 1);
    });
  }

  test("without the right signature do nothing", async () => {
    await using at = stage();
    for (const headers of [
      {},
      { "x-hub-signature-256": `sha256=${sign("another body")}` },
      { "x-hub-signature-256": "sha256=", "x-gitlab-token": secret },
      { "x-gitlab-token": "" },
      { "linear-signature": "0" },
    ]) {
      assert.equal(await at.send(headers as Record<string, string>), 401, JSON.stringify(headers));
    }
    assert.equal(await at.send({ "x-gitlab-token": secret }, "GET"), 405);
    assert.equal(at.looks(), 0);
  });

  test("without a secret there are none", async () => {
    await using at = stage(() => null);
    assert.equal(await at.send({ "x-gitlab-token": "" }), 404);
  });
});
