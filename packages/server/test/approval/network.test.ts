/** Which hosts a command reaches: by rules, by the user's word, and by nobody's. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { reply } from "@quire/testkit";
import type { TestClient } from "../support/test-client.ts";
import { testServer } from "../support/test-server.ts";
import { command } from "./support.ts";

const proxied = { "features.network_proxy.enabled": true, "features.network_proxy.allow_local_binding": true };
const settings = (cwd: string, approvalPolicy = "on-request") => ({
  cwd,
  approvalPolicy,
  sandbox: "workspace-write",
  config: {
    "sandbox_workspace_write.network_access": true,
    // Where this repository lies below /tmp, commands could else write to the program that tells hosts apart.
    "sandbox_workspace_write.exclude_slash_tmp": true,
    "sandbox_workspace_write.exclude_tmpdir_env_var": true,
  },
});

/** A web server on this machine that counts who came. */
function site() {
  let visits = 0;
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(`visit ${++visits}\n`) });
  const address = `127.0.0.1:${server.port}`;
  return { address, visits: () => visits, [Symbol.dispose]: () => void server.stop(true) };
}

/** Waits for the end as long as it can: on a busy machine a sandbox takes a while. */
const run = (line: string, callId: string, more: object = {}) =>
  command(line, { login: false, yield_time_ms: 30_000, ...more }, callId);

const get = (address: string, callId: string, more = "") => run(`curl -sS -m 60 ${more} http://${address}/`, callId);

/** Waits for the n-th question about a host and answers it. */
async function answer(client: TestClient, decision: unknown, nth = 0): Promise<void> {
  const asked = () => client.received.filter(({ params }) => params?.networkApprovalContext !== undefined);
  const { params } = await client.find((message) => asked()[nth] === message);
  await client.answer(params.itemId, { decision });
}

test("a host is asked about, once for the session, and nothing is reached before the answer", async () => {
  using web = site();
  await using it = await testServer({ config: { config: proxied } });
  it.model.script(get(web.address, "call-1"), get(web.address, "call-2"), reply().text("done"));
  const { client } = it;
  const turn = await client.start(await client.thread(settings(it.cwd)));
  const { params } = await client.find((message) => message.params?.networkApprovalContext !== undefined);
  assert.deepEqual(params.networkApprovalContext, { host: "127.0.0.1", protocol: "http" });
  assert.deepEqual(
    params.proposedNetworkPolicyAmendments.map((each: { action: string }) => each.action),
    ["allow", "deny"],
  );
  assert.equal(web.visits(), 0);
  await answer(client, "acceptForSession");
  await client.ended(turn);
  assert.equal(client.completed("call-1").aggregatedOutput, "visit 1\n");
  assert.equal(client.completed("call-2").aggregatedOutput, "visit 2\n");
  assert.deepEqual(readdirSync(join(it.home, "net")), [], "the proxies are gone with their commands");
});

test("an accepted host is asked about again for the next command; a declined one is not reached", async () => {
  using web = site();
  await using it = await testServer({ config: { config: proxied } });
  it.model.script(get(web.address, "call-1"), get(web.address, "call-2"), reply().text("done"));
  const { client } = it;
  const turn = await client.start(await client.thread(settings(it.cwd)));
  await answer(client, "accept");
  await answer(client, "decline", 1);
  await client.ended(turn);
  assert.match(client.completed("call-2").aggregatedOutput, /blocked/);
  assert.match(JSON.stringify(it.model.last?.body.input), /Network access to .*was blocked: the user has declined/);
  assert.equal(web.visits(), 1);
});

test("a rule that the user makes of a host holds in other threads: allowed, or denied for good", async () => {
  for (const action of ["allow", "deny"]) {
    using web = site();
    await using it = await testServer({ config: { config: proxied } });
    it.model.script(get(web.address, "call-1"), reply().text("done"));
    const { client } = it;
    const turn = await client.start(await client.thread(settings(it.cwd)));
    const amendment = { host: "127.0.0.1", action };
    await answer(client, { applyNetworkPolicyAmendment: { network_policy_amendment: amendment } });
    await client.ended(turn);
    const rules = readFileSync(join(it.home, "rules", "default.rules"), "utf8");
    assert.match(rules, new RegExp(`^network_rule\\(host="127.0.0.1", protocol="http", decision="${action}"`));
    it.model.script(get(web.address, "call-2"), reply().text("done"));
    await client.ended(await client.start(await client.thread(settings(it.cwd, "never"))));
    assert.equal(web.visits(), action === "allow" ? 2 : 0);
    if (action === "deny") assert.match(client.completed("call-2").aggregatedOutput, /a rule denies it/);
  }
});

test("cancelling ends the turn", async () => {
  using web = site();
  await using it = await testServer({ config: { config: proxied } });
  it.model.script(get(web.address, "call-1"));
  const { client } = it;
  const turn = await client.start(await client.thread(settings(it.cwd)));
  await answer(client, "cancel");
  assert.equal((await client.ended(turn)).status, "interrupted");
  assert.equal(web.visits(), 0);
});

test("where nobody may be asked, only hosts that a rule allows are reached, through HTTP, a tunnel and SOCKS", async () => {
  using web = site();
  await using it = await testServer({
    config: { config: { ...proxied, 'features.network_proxy.domains."127.0.0.1"': "allow" } },
  });
  const ways = ["", "--proxytunnel", "--socks5-hostname 127.0.0.1:3128"];
  it.model.script(...ways.map((way, index) => get(web.address, `call-${index}`, way)), reply().text("done"));
  const { client } = it;
  await client.ended(await client.start(await client.thread(settings(it.cwd, "never"))));
  for (const index of ways.keys()) {
    assert.equal(client.completed(`call-${index}`).aggregatedOutput, `visit ${index + 1}\n`);
  }
  it.model.script(run("curl -sS -m 60 http://localhost:1/", "call-9"), reply().text("done"));
  await client.ended(await client.start(await client.thread(settings(it.cwd, "never"))));
  assert.match(client.completed("call-9").aggregatedOutput, /no rule allows it, and nobody may be asked/);
});

test("this machine is not reached unless the configuration says so, whatever name it is given", async () => {
  using web = site();
  await using it = await testServer({ config: { config: { "features.network_proxy": true } } });
  mkdirSync(join(it.home, "rules"));
  writeFileSync(join(it.home, "rules", "default.rules"), 'network_rule(host="127.0.0.1", decision="allow")\n');
  const port = web.address.split(":")[1];
  const names = ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0", "2130706433", "0x7f.1"];
  it.model.script(...names.map((name, index) => get(`${name}:${port}`, `call-${index}`)), reply().text("done"));
  const { client } = it;
  await client.ended(await client.start(await client.thread(settings(it.cwd))));
  for (const index of names.keys()) assert.doesNotMatch(client.completed(`call-${index}`).aggregatedOutput, /visit/);
  assert.equal(web.visits(), 0);
});

test("there is no way around the proxy: no address, no name, no socket, no planted link leads out", async () => {
  using web = site();
  await using it = await testServer({ config: { config: proxied } });
  const attempts = [
    `curl -sS -m 5 --noproxy '*' http://${web.address}/`,
    `exec 3<>/dev/tcp/${web.address.replace(":", "/")}`,
    `python3 -c 'import socket; socket.socket(socket.AF_UNIX)'`,
    `touch ${it.home}/net/planted`,
    `mv ${it.home}/net ${it.home}/elsewhere`,
  ];
  it.model.script(...attempts.map((line, index) => run(line, `call-${index}`)), reply().text("done"));
  const { client } = it;
  await client.ended(await client.start(await client.thread(settings(it.cwd, "never"))));
  for (const index of attempts.keys()) assert.notEqual(client.completed(`call-${index}`).exitCode, 0, attempts[index]);
  assert.equal(web.visits(), 0);
});

test("files that say what Bun loads have no say in the bridge beside the sandbox", async () => {
  await using it = await testServer({ config: { config: proxied } });
  writeFileSync(
    join(it.cwd, "planted.js"),
    `require("node:fs").writeFileSync(${JSON.stringify(join(it.outside, "escaped"))}, "")`,
  );
  writeFileSync(join(it.cwd, "bunfig.toml"), 'preload = ["./planted.js"]\n');
  writeFileSync(join(it.cwd, ".env"), `BUN_OPTIONS=--preload=${join(it.cwd, "planted.js")}\n`);
  it.model.script(run("echo ran", "call-1"), reply().text("done"));
  const { client } = it;
  await client.ended(await client.start(await client.thread(settings(it.cwd))));
  assert.equal(client.completed("call-1").aggregatedOutput, "ran\n");
  assert.deepEqual(readdirSync(it.outside), []);
});

test("a terminal, its input and its exit code are the command's own through the bridge", async () => {
  await using it = await testServer({ config: { config: proxied } });
  it.model.script(run("test -t 0 && test -t 1 && exit 7", "call-1", { tty: true }), reply().text("done"));
  const { client } = it;
  await client.ended(await client.start(await client.thread(settings(it.cwd))));
  assert.equal(client.completed("call-1").exitCode, 7);
});
