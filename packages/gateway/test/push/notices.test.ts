import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { test } from "node:test";
import { eventually } from "@quire/testkit";
import { pushService } from "../support/push-service.ts";
import { scriptedGateway } from "../support/test-gateway.ts";
import { openPage } from "../support/test-page.ts";

test("a device that asked for it is told of ends and questions, and answers from the notice, once", async () => {
  await using stage = scriptedGateway();
  await using page = await openPage(stage.gateway);
  const { id } = await page.hub();
  using service = pushService();
  const { origin, token } = stage.gateway;
  const json = { "content-type": "application/json" };
  const session = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ token }),
  });
  const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, { ...init, headers: { ...json, cookie } });
  const { publicKey, on } = (await (await ask("/api/push")).json()) as { publicKey: string; on: boolean };
  assert.equal(on, false);
  assert.equal((await ask("/api/push", { method: "POST", body: "{}" })).status, 400);
  const odd = { ...service.subscription, endpoint: "http://example.org/push" };
  assert.equal((await ask("/api/push", { method: "POST", body: JSON.stringify(odd) })).status, 400);
  assert.equal((await ask("/api/push", { method: "POST", body: JSON.stringify(service.subscription) })).status, 204);

  stage.server.on("thread/read", {
    thread: { id: "t", name: null, preview: "Mend the\u202e lamp", parentThreadId: null },
  });
  stage.server.notify("turn/completed", { threadId: "t", turn: { id: "u", status: "completed" } });
  const ended = await service.hears();
  assert.deepEqual(ended, {
    ...{ kind: "ended", hub: id, thread: "t", question: null },
    ...{ title: "Mend the⟦U+202E⟧ lamp", body: "The turn has ended" },
  });
  // The header is signed by the key that the browser subscribed with.
  const [, jwt = "", key] = /^vapid t=([^,]+), k=(.+)$/.exec(service.authorizations[0] ?? "") ?? [];
  assert.equal(key, publicKey);
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const [head, body, signature = ""] = jwt.split(".");
  const by = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const seal = { key: by, dsaEncoding: "ieee-p1363" } as const;
  assert.ok(verify("sha256", Buffer.from(`${head}.${body}`), seal, Buffer.from(signature, "base64url")));
  const { aud } = JSON.parse(Buffer.from(body ?? "", "base64url").toString()) as { aud: string };
  assert.equal(aud, new URL(service.subscription.endpoint).origin);

  const method = "item/commandExecution/requestApproval";
  const reply = stage.server.request(method, { threadId: "t", turnId: "u", itemId: "i", command: "rm -r dist" });
  const asked = await service.hears(1);
  assert.equal(asked.body, "rm -r dist");
  const answer = { hub: id, question: asked.question, approve: true };
  assert.equal((await ask("/api/answer", { method: "POST", body: JSON.stringify(answer) })).status, 204);
  assert.deepEqual(await reply, { decision: "accept" });
  assert.equal((await ask("/api/answer", { method: "POST", body: JSON.stringify(answer) })).status, 410);
  await page.hears(id, "serverRequest/resolved");

  // What a notice cannot show whole is answered in the page.
  for (const command of ["x".repeat(500), "echo a\u200bb", "echo a\necho b"]) {
    void stage.server.request(method, { threadId: "t", turnId: "u", itemId: "i", command }).catch(() => undefined);
    const count = service.messages.length;
    assert.equal((await service.hears(count)).question, null, command);
  }
  // A sub-agent's end is no news.
  stage.server.on("thread/read", { thread: { id: "s", preview: "Sub", parentThreadId: "t" } });
  stage.server.notify("turn/completed", { threadId: "s", turn: { id: "v", status: "completed" } });
  service.unsubscribe();
  const thread = { id: "t", preview: "Mend", parentThreadId: null };
  stage.server.on("thread/read", { thread });
  stage.server.notify("turn/completed", { threadId: "t", turn: { id: "w", status: "completed" } });
  const isOff = async () => ((await (await ask("/api/push")).json()) as { on: boolean }).on === false;
  await eventually(isOff, { what: "a browser that has gone to be forgotten" });
  assert.equal(service.messages.length, 5);
});
