import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { noPermissions } from "../../src/approval/permissions.ts";
import type { TurnSettings } from "../../src/record/turn-settings.ts";
import { FakeThread } from "./fake-context.ts";

const readOnly: Partial<TurnSettings> = {
  approvalPolicy: "on-request",
  sandboxPolicy: { type: "readOnly", networkAccess: false },
};
const escalated = { sandbox_permissions: "require_escalated" };
const asked = "item/commandExecution/requestApproval";

async function start(thread: FakeThread, cmd: string, more: object = escalated): Promise<number> {
  const how = { tty: true, login: false, yield_time_ms: 250, ...more };
  const started: string = await thread.call("exec_command", { cmd, ...how });
  return Number(/session ID (\d+)/.exec(started)?.[1]);
}

test("a question about input shows what is typed, into which program and where, and is asked each time", async () => {
  await using folder = await tempDir("quire-type-");
  await using thread = new FakeThread(folder.path, { settings: readOnly });
  thread.answer = async () => ({ decision: "acceptForSession" });
  const session_id = await start(thread, "read a; read b");
  await thread.call("write_stdin", { session_id, chars: "x\n" });
  await thread.call("write_stdin", { session_id, chars: "x\n", yield_time_ms: 5000 });
  const [, first, second] = thread.all(asked);
  assert.equal(first.kind, "writeStdin");
  assert.equal(first.itemId, "call-1");
  assert.deepEqual([first.approvalId, second.approvalId], ["call-2", "call-3"]);
  assert.equal(first.command, `write_stdin --session-id ${session_id} 'x\n'`);
  assert.equal(first.cwd, folder.path);
  assert.match(first.reason, /outside of the sandbox.*read a; read b/);
  assert.deepEqual(first.availableDecisions, ["accept", "cancel"]);
  assert.deepEqual(
    thread.all("item/commandExecution/terminalInteraction").map(({ stdin }) => stdin),
    ["x\n", "x\n"],
  );
});

test("half a character is shown as it is typed", async () => {
  await using folder = await tempDir("quire-type-");
  await using thread = new FakeThread(folder.path, { settings: readOnly });
  thread.answer = async () => ({ decision: "accept" });
  const session_id = await start(thread, "stty -echo; read a; printf '<%s>' \"$a\"");
  const told: string = await thread.call("write_stdin", { session_id, chars: "\ud800\n", yield_time_ms: 5000 });
  assert.equal(thread.all(asked)[1].command, `write_stdin --session-id ${session_id} '\ufffd\n'`);
  assert.match(told, /<\ufffd>/);
});

test("looking and interrupting are not asked about, nor is a command in the thread's own sandbox", async () => {
  await using folder = await tempDir("quire-type-");
  await using thread = new FakeThread(folder.path, { settings: readOnly });
  const confined = await start(thread, "read a", {});
  const text: string = await thread.call("write_stdin", { session_id: confined, chars: "x\n", yield_time_ms: 5000 });
  assert.match(text, /exited with code 0/);
  thread.answer = async () => ({ decision: "accept" });
  const session_id = await start(thread, "read a");
  Object.assign(thread.settings, { approvalPolicy: "never" });
  await thread.call("write_stdin", { session_id, chars: "\u0003", yield_time_ms: 5000 });
  assert.deepEqual(
    thread.all(asked).map(({ kind }) => kind),
    ["command"],
  );
});

test("a thread with full access that asks about nothing types freely", async () => {
  await using folder = await tempDir("quire-type-");
  const settings = { approvalPolicy: "never", sandboxPolicy: { type: "dangerFullAccess" } } as const;
  await using thread = new FakeThread(folder.path, { settings });
  const session_id = await start(thread, "read a; touch $a", {});
  await thread.call("write_stdin", { session_id, chars: "made\n", yield_time_ms: 5000 });
  assert.ok(existsSync(join(folder.path, "made")));
  assert.deepEqual(thread.all(asked), []);
});

test("input for a command whose permission ended with its turn is asked about", async () => {
  await using folder = await tempDir("quire-type-");
  await using thread = new FakeThread(folder.path, { settings: readOnly });
  thread.approvals.grants.add({ ...noPermissions, write: ["/srv"] }, { turnId: "turn" });
  const session_id = await start(thread, "read a; read b", {});
  await thread.call("write_stdin", { session_id, chars: "x\n" });
  assert.deepEqual(thread.all(asked), []);
  thread.approvals.grants.add({ ...noPermissions, write: ["/opt"] }, { turnId: "another" });
  thread.answer = async () => ({ decision: "decline" });
  assert.equal(
    await thread.failure("write_stdin", { session_id, chars: "x\n" }),
    "write_stdin rejected: rejected by user",
  );
  assert.match(thread.all(asked)[0].reason, /more rights/);
});

test("cancelling input ends the turn and types nothing", async () => {
  await using folder = await tempDir("quire-type-");
  await using thread = new FakeThread(folder.path, { settings: readOnly });
  thread.answer = async (_, params) => ({
    decision: (params as { kind: string }).kind === "command" ? "accept" : "cancel",
  });
  const session_id = await start(thread, "read a; touch made");
  assert.match(await thread.failure("write_stdin", { session_id, chars: "x\n" }), /^aborted by user/);
  assert.equal(thread.all("interrupt").length, 1);
  assert.deepEqual(thread.all("item/commandExecution/terminalInteraction"), []);
});
