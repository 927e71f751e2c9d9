/** What approvals do to the sandbox: who gets out of it, how far, and for how long. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { link, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { reply } from "@quire/testkit";
import { testServer } from "../support/test-server.ts";
import { addition, command, story } from "./support.ts";

const readOnly = (cwd: string, approvalPolicy: unknown = "on-request") => ({
  cwd,
  approvalPolicy,
  sandbox: "read-only",
});
const granular = (more: object = {}) => ({
  granular: {
    sandbox_approval: true,
    rules: true,
    skill_approval: true,
    mcp_elicitations: true,
    request_permissions: true,
    ...more,
  },
});

test("on-request: a command stays in the sandbox unless the model asks and the user agrees", async () => {
  await using it = await testServer();
  const escalated = { sandbox_permissions: "require_escalated", justification: "May I?" };
  it.model.script(command("touch a"), command("touch a", escalated, "call-2"), reply().text("done"));
  const { client } = it;
  const turn = await client.start(await client.thread(readOnly(it.cwd)));
  const { params } = await client.question("call-2");
  assert.equal(params.reason, "May I?");
  assert.equal(client.completed("call-1").status, "failed");
  assert.ok(!existsSync(join(it.cwd, "a")));
  await client.answer("call-2", { decision: "accept" });
  await client.ended(turn);
  assert.ok(existsSync(join(it.cwd, "a")));
});

test("never and a granular policy without sandbox approvals refuse to ask, without an item", async () => {
  for (const policy of ["never", granular({ sandbox_approval: false })]) {
    await using it = await testServer();
    it.model.script(command("touch a", { sandbox_permissions: "require_escalated" }), reply().text("done"));
    const { client } = it;
    await client.ended(await client.start(await client.thread(readOnly(it.cwd, policy))));
    assert.match(it.model.last?.functionOutput("call-1") ?? "", /^approval policy is (Never|Granular).*reject command/);
    assert.equal(client.completed("call-1"), undefined);
  }
});

test("on-failure: what the sandbox stopped is tried again outside, once the user agrees, as one item", async () => {
  for (const decision of ["accept", "decline"]) {
    await using it = await testServer();
    it.model.script(command("touch a && echo made"), reply().text("done"));
    const { client } = it;
    const turn = await client.start(await client.thread(readOnly(it.cwd, "on-failure")));
    const { params } = await client.question("call-1");
    assert.match(params.reason, /retry without sandbox/);
    assert.equal(typeof params.approvalId, "string");
    await client.answer("call-1", { decision });
    assert.equal((await client.ended(turn)).status, "completed");
    const isAccepted = decision === "accept";
    assert.equal(existsSync(join(it.cwd, "a")), isAccepted);
    const { status, exitCode, aggregatedOutput } = client.completed("call-1");
    assert.deepEqual([status, exitCode === 0], isAccepted ? ["completed", true] : ["failed", false]);
    if (isAccepted) assert.equal(aggregatedOutput, "made\n");
    assert.match(it.model.last?.functionOutput("call-1") ?? "", isAccepted ? /code 0/ : /Read-only file system/);
  }
});

test("on-failure: a failure of the command's own is not asked about", async () => {
  await using it = await testServer();
  it.model.script(command("exit 3"), reply().text("done"));
  const { client } = it;
  await client.ended(await client.start(await client.thread(readOnly(it.cwd, "on-failure"))));
  assert.ok(!client.received.some(({ method }) => method === "item/commandExecution/requestApproval"));
  assert.equal(client.completed("call-1").exitCode, 3);
});

const features = { "features.request_permissions_tool": true, "features.exec_permission_approvals": true };

test("permissions for the turn are gone in the next, those for the session stay; nothing else opens", async () => {
  for (const scope of ["turn", "session"]) {
    await using it = await testServer({ config: { config: features } });
    const wanted = { file_system: { write: [it.outside] } };
    const into = (folder: string, callId: string) => command(`touch ${join(folder, callId)}`, {}, callId);
    it.model.script(
      reply().functionCall("request_permissions", { permissions: wanted, reason: "to fill it" }, { callId: "call-1" }),
      into(it.outside, "call-2"),
      into(it.cwd, "call-3"),
      reply().text("done"),
      into(it.outside, "call-4"),
      reply().text("done"),
    );
    const { client } = it;
    const threadId = await client.thread(readOnly(it.cwd));
    const turn = await client.start(threadId);
    const { params } = await client.question("call-1");
    await client.answer("call-1", { permissions: params.permissions, scope });
    await client.ended(turn);
    await client.ended(await client.start(threadId));
    assert.ok(existsSync(join(it.outside, "call-2")));
    assert.ok(!existsSync(join(it.cwd, "call-3")), "the thread's own folder stays closed");
    assert.equal(existsSync(join(it.outside, "call-4")), scope === "session");
  }
});

test("a client cannot grant more than was asked for", async () => {
  await using it = await testServer({ config: { config: features } });
  const wanted = { file_system: { write: [join(it.outside, "sub")] } };
  it.model.script(
    reply().functionCall("request_permissions", { permissions: wanted }, { callId: "call-1" }),
    command(`touch ${join(it.outside, "a")}`, {}, "call-2"),
    reply().text("done"),
  );
  const { client } = it;
  const turn = await client.start(await client.thread(readOnly(it.cwd)));
  const permissions = { fileSystem: { write: [it.outside, "/"] }, network: { enabled: true } };
  await client.answer("call-1", { permissions });
  await client.ended(turn);
  const told = JSON.parse(it.model.last?.functionOutput("call-1") ?? "");
  assert.deepEqual(told, { permissions: { network: null, file_system: null }, scope: "turn" });
  assert.ok(!existsSync(join(it.outside, "a")));
});

test("a granular policy without request_permissions grants nothing and asks nobody", async () => {
  await using it = await testServer({ config: { config: features } });
  const wanted = { network: { enabled: true } };
  it.model.script(
    reply().functionCall("request_permissions", { permissions: wanted }, { callId: "call-1" }),
    reply().text("done"),
  );
  const { client } = it;
  const policy = granular({ request_permissions: false });
  await client.ended(await client.start(await client.thread(readOnly(it.cwd, policy))));
  assert.match(it.model.last?.functionOutput("call-1") ?? "", /"network":null/);
  assert.ok(!client.received.some(({ method }) => method === "item/permissions/requestApproval"));
});

test("a command that asks for more gets that much within the sandbox, and only itself", async () => {
  await using it = await testServer({ config: { config: features } });
  const more = {
    sandbox_permissions: "with_additional_permissions",
    additional_permissions: { file_system: { write: [it.outside] } },
  };
  const both = `touch ${join(it.outside, "a")}; touch b`;
  it.model.script(command(both, more), command(`touch ${join(it.outside, "c")}`, {}, "call-2"), reply().text("done"));
  const { client } = it;
  const turn = await client.start(await client.thread(readOnly(it.cwd)));
  const { params } = await client.question("call-1");
  assert.deepEqual(params.additionalPermissions.fileSystem.write, [it.outside]);
  assert.deepEqual(params.availableDecisions, ["accept", "cancel"]);
  await client.answer("call-1", { decision: "accept" });
  await client.ended(turn);
  assert.ok(existsSync(join(it.outside, "a")));
  assert.ok(!existsSync(join(it.cwd, "b")));
  assert.ok(!existsSync(join(it.outside, "c")));
});

test("changes within the workspace are made unasked; those that lead out of it, by whichever way, are not", async () => {
  await using it = await testServer();
  await writeFile(join(it.outside, "theirs"), "theirs\n");
  await symlink(it.outside, join(it.cwd, "folder"));
  await symlink(join(it.outside, "nothing-yet"), join(it.cwd, "dangling"));
  await link(join(it.outside, "theirs"), join(it.cwd, "hard"));
  const ways = [
    join(it.outside, "a"),
    "../outside/a",
    "folder/a",
    "dangling",
    "hard",
    ".git/hooks/pre-commit",
    ".codex/a",
  ];
  it.model.script(
    addition("within.txt", "call-in"),
    ...ways.map((path, n) => addition(path, `call-${n}`)),
    reply().text("done"),
  );
  const { client } = it;
  const writable = { writableRoots: [], networkAccess: false, excludeTmpdirEnvVar: true, excludeSlashTmp: true };
  const threadId = await client.thread({ cwd: it.cwd, approvalPolicy: "never" });
  const input = [{ type: "text", text: "go", text_elements: [] }];
  const sandboxPolicy = { type: "workspaceWrite", ...writable };
  const { turn } = await client.request("turn/start", { threadId, input, sandboxPolicy });
  await client.ended(turn.id);
  assert.equal(client.completed("call-in").status, "completed");
  for (const [n, way] of ways.entries()) {
    assert.equal(client.completed(`call-${n}`), undefined, way);
    assert.match(it.model.last?.functionOutput(`call-${n}`) ?? "", /^patch rejected: writing outside/, way);
  }
  assert.ok(!existsSync(join(it.outside, "a")));
});

test("a change is asked about where it may be, made once it is accepted, and remembered for the session", async () => {
  await using it = await testServer();
  it.model.script(addition("a"), addition("a", "call-2"), addition("b", "call-3"), reply().text("done"));
  const { client } = it;
  const turn = await client.start(await client.thread(readOnly(it.cwd)));
  const { params } = await client.question("call-1");
  assert.deepEqual([params.grantRoot, params.reason], [null, null]);
  await client.answer("call-1", { decision: "acceptForSession" });
  await client.answer("call-3", { decision: "cancel" });
  assert.equal((await client.ended(turn)).status, "interrupted");
  assert.deepEqual(story(client).slice(0, 7), [
    "active []",
    "item/started inProgress",
    "active [waitingOnApproval]",
    "item/fileChange/requestApproval",
    "serverRequest/resolved",
    "active []",
    "item/completed completed",
  ]);
  assert.deepEqual(
    ["call-1", "call-2", "call-3"].map((id) => client.completed(id)?.status),
    ["completed", "completed", "declined"],
  );
  assert.ok(!existsSync(join(it.cwd, "b")));
});

test("an approved command runs in the sandbox; outside of it where the policy is untrusted and the sandbox stopped it", async () => {
  for (const [approvalPolicy, isMade, runs] of [
    ["on-request", false, 1],
    ["untrusted", true, 2],
  ] as const) {
    await using it = await testServer();
    const { client, cwd, home, outside } = it;
    mkdirSync(join(home, "rules"), { recursive: true });
    writeFileSync(join(home, "rules", "default.rules"), 'prefix_rule(pattern=["tee"], decision="prompt")\n');
    const file = join(outside, "made");
    it.model.script(command(`tee -a log ${file} <<< ran`), reply().text("done"));
    const config = {
      "sandbox_workspace_write.exclude_slash_tmp": true,
      "sandbox_workspace_write.exclude_tmpdir_env_var": true,
    };
    const turn = await client.start(await client.thread({ cwd, approvalPolicy, sandbox: "workspace-write", config }));
    await client.answer("call-1", { decision: "accept" });
    await client.ended(turn);
    assert.equal(existsSync(file), isMade);
    assert.equal(readFileSync(join(cwd, "log"), "utf8"), "ran\n".repeat(runs));
    assert.equal(client.all("item/commandExecution/requestApproval").length, 1);
  }
});
