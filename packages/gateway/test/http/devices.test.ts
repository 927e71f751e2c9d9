import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Gateway } from "@quire/gateway";
import { deviceName } from "../../src/http/devices.ts";
import { testGateway } from "../support/test-gateway.ts";

const json = { "content-type": "application/json" };
const token = "0123456789abcdef0123";

/** Signs a browser in and gives what its requests carry. */
async function signIn(
  { origin }: Gateway,
  secret: string,
  userAgent = "x Chrome/1 Linux",
): Promise<Record<string, string>> {
  const headers = { ...json, "user-agent": userAgent };
  const answer = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers,
    body: JSON.stringify({ token: secret }),
  });
  assert.equal(answer.status, 204, await answer.text());
  return { ...headers, cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "" };
}

const isIn = async ({ origin }: Gateway, headers: Record<string, string>) =>
  (await fetch(`${origin}/api/session`, { headers })).status === 204;

interface Listed {
  readonly devices: readonly { readonly id: string; readonly name: string; readonly current: boolean }[];
}
const list = async ({ origin }: Gateway, headers: Record<string, string>) =>
  ((await (await fetch(`${origin}/api/devices`, { headers })).json()) as Listed).devices;

test("a device that is paired by a code stays signed in over restarts, until it is revoked for good", async () => {
  const stateFile = join(mkdtempSync(join(tmpdir(), "quire-devices-")), "home", "state.json");
  let desk: Record<string, string>;
  let phone: Record<string, string>;
  let port: number;
  {
    await using gateway = testGateway({ token, stateFile });
    ({ port } = gateway);
    desk = await signIn(gateway, token);
    const pair = await fetch(`${gateway.origin}/api/pair`, { method: "POST", headers: desk });
    const { code } = (await pair.json()) as { code: string };
    assert.match(code, /^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    phone = await signIn(gateway, code.toLowerCase().replace("-", " "), "Chrome/1 Mobile Safari/1 Android");
    const again = { method: "POST", headers: json, body: JSON.stringify({ token: code }) };
    assert.equal((await fetch(`${gateway.origin}/api/session`, again)).status, 401, "a code is good once");
    assert.deepEqual((await list(gateway, phone)).map(({ name, current }) => [name, current]).toSorted(), [
      ["Chrome on Android", true],
      ["Chrome on Linux", false],
    ]);
  }
  assert.equal(statSync(stateFile).mode & 0o077, 0);
  assert.equal(
    readFileSync(stateFile, "utf8").includes(phone.cookie?.split(".")[1] ?? "?"),
    false,
    "no cookie is kept",
  );
  {
    await using gateway = testGateway({ token, stateFile, port });
    assert.ok(await isIn(gateway, phone));
    const id = (await list(gateway, desk)).find(({ current }) => !current)?.id;
    const open = new WebSocket(`ws://127.0.0.1:${gateway.port}/socket`, { headers: phone } as never);
    await new Promise((resolve) => (open.onopen = resolve));
    const closed = new Promise<number>((resolve) => (open.onclose = ({ code }) => resolve(code)));
    const revoke = () => fetch(`${gateway.origin}/api/devices/${id}`, { method: "DELETE", headers: desk });
    assert.equal((await revoke()).status, 204);
    assert.equal(await closed, 4401, "its pages end at once");
    assert.equal((await revoke()).status, 404);
    assert.equal(await isIn(gateway, phone), false);
  }
  await using gateway = testGateway({ token, stateFile, port });
  assert.equal(await isIn(gateway, phone), false);
  assert.ok(await isIn(gateway, desk));
});

test("codes are not guessed, and nobody pairs or lists without being signed in", async () => {
  await using gateway = testGateway({ token });
  const desk = await signIn(gateway, token);
  const { code } = (await (await fetch(`${gateway.origin}/api/pair`, { method: "POST", headers: desk })).json()) as {
    code: string;
  };
  const guess = (text: string) =>
    fetch(`${gateway.origin}/api/session`, { method: "POST", headers: json, body: JSON.stringify({ token: text }) });
  const wrong = await Promise.all(Array.from({ length: 5 }, (_, at) => guess(`AAAA-AAA${at + 2}`)));
  assert.ok(wrong.every(({ status }) => status === 401));
  await Promise.all(Array.from({ length: 5 }, (_, at) => guess(`BBBB-AAA${at + 2}`)));
  assert.equal((await guess(code)).status, 401, "after ten wrong ones the right one is void");
  for (const path of ["/api/pair", "/api/devices", "/api/push", "/api/answer"]) {
    assert.equal((await fetch(`${gateway.origin}${path}`, { method: "POST" })).status, 401, path);
  }
  const forged = { cookie: `${desk.cookie?.split(".")[0]}.${"A".repeat(43)}` };
  assert.equal(await isIn(gateway, forged), false);
});

test("devices are named by what their browsers say of themselves", () => {
  assert.equal(deviceName("Mozilla/5.0 (iPhone; CPU iPhone OS 18) Version/18 Mobile Safari/604"), "Safari on iPhone");
  assert.equal(deviceName("Mozilla/5.0 (Windows NT 10.0) Chrome/130 Safari/537 Edg/130"), "Edge on Windows");
  assert.equal(deviceName("curl"), "Browser");
});
