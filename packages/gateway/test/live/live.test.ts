import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Thread } from "@quire/protocol";
import { assertNoProcesses, gate, reply, taggedProcesses, waitUntilStored } from "@quire/testkit";
import { type LiveServer, onEachServer } from "../support/live-server.ts";
import { testGateway } from "../support/test-gateway.ts";
import { openPage, type TestPage } from "../support/test-page.ts";

const approval = "item/commandExecution/requestApproval";
const touch = (file: string) => reply().functionCall("exec_command", { cmd: `touch ${file}` });
const input = (text: string) => [{ type: "text", text, text_elements: [] }];

/** Starts a thread in which the server asks before every command. */
async function newThread(page: TestPage, hub: string, { cwd }: LiveServer): Promise<string> {
  const params = { cwd, approvalPolicy: "untrusted", sandbox: "danger-full-access" };
  const { thread } = await page.result<{ thread: { id: string } }>(hub, "thread/start", params);
  return thread.id;
}

async function completed(page: TestPage, hub: string, index = 0): Promise<string> {
  const { params } = await page.hears(hub, "turn/completed", index);
  return (params as unknown as { turn: { status: string } }).turn.status;
}

await onEachServer((start) => {
  test("a turn that one page begins and another approves; then nothing is left of it", async () => {
    await using live = await start();
    live.mock.script(touch("made.txt"), reply().text("Done."));
    const gateway = testGateway({ spawned: [live.spawned] });
    try {
      await using first = await openPage(gateway);
      await using second = await openPage(gateway);
      const { id: hub, version, name } = await first.hub();
      assert.match(name, new RegExp(`^(codex|quire) ${version}$`));
      const threadId = await newThread(first, hub, live);
      await first.result(hub, "turn/start", { threadId, input: input("Make it.") });
      const asked = await second.hears(hub, approval);
      assert.equal(asked.params?.threadId, threadId);
      assert.equal(existsSync(join(live.cwd, "made.txt")), false);
      second.rpc(hub, { id: asked.id, result: { decision: "accept" } });
      for (const page of [first, second]) {
        assert.equal(await completed(page, hub), "completed");
        const resolved = page.heard(hub, "serverRequest/resolved");
        const whose =
          page === second ? { answeredBy: "you" } : { answeredBy: "page", answer: { result: { decision: "accept" } } };
        assert.deepEqual(
          resolved.map(({ params }) => params),
          [{ threadId, requestId: asked.id, ...whose }],
        );
      }
      assert.ok(existsSync(join(live.cwd, "made.txt")));
    } finally {
      await gateway.close();
    }
    await assertNoProcesses({ tag: live.tag });
  });

  test("a page that is loaded again in the middle of a turn is asked again, and sees its end", async () => {
    await using live = await start();
    live.mock.script(touch("made.txt"), reply().text("Left it."));
    await using gateway = testGateway({ spawned: [live.spawned], lingerMs: 1 });
    const before = await openPage(gateway);
    const { id: hub } = await before.hub();
    const threadId = await newThread(before, hub, live);
    await before.result(hub, "turn/start", { threadId, input: input("Make it.") });
    const asked = await before.hears(hub, approval);
    await before.close();
    await using after = await openPage(gateway);
    const again = await after.hears(hub, approval);
    assert.deepEqual(again, asked);
    after.rpc(hub, { id: again.id, result: { decision: "decline" } });
    assert.equal(await completed(after, hub), "completed");
    assert.equal(existsSync(join(live.cwd, "made.txt")), false);
  });

  test("an interrupted turn withdraws its question from all pages", async () => {
    await using live = await start();
    live.mock.script(touch("made.txt"), reply().text("Never said."));
    await using gateway = testGateway({ spawned: [live.spawned] });
    await using first = await openPage(gateway);
    await using second = await openPage(gateway);
    const { id: hub } = await first.hub();
    const threadId = await newThread(first, hub, live);
    const { turn } = await first.result<{ turn: { id: string } }>(hub, "turn/start", {
      threadId,
      input: input("Make it."),
    });
    const { id } = await second.hears(hub, approval);
    await first.result(hub, "turn/interrupt", { threadId, turnId: turn.id });
    assert.equal(await completed(second, hub), "interrupted");
    for (const page of [first, second]) {
      const { params } = await page.hears(hub, "serverRequest/resolved");
      assert.deepEqual(params, { threadId, requestId: id });
    }
  });

  test("a server that is killed and comes back has its thread, which goes on", async () => {
    await using live = await start();
    live.mock.script(reply().text("One."), reply().text("Two."));
    const running = await live.listen();
    await using gateway = testGateway({
      addresses: [running.url],
      reconnect: { baseMs: 20, maxMs: 100, attempts: 1000 },
    });
    await using page = await openPage(gateway);
    const { id: hub, epoch } = await page.hub();
    const threadId = await newThread(page, hub, live);
    await page.result(hub, "turn/start", { threadId, input: input("First.") });
    assert.equal(await completed(page, hub), "completed");
    const read = () => page.result<{ thread: Thread }>(hub, "thread/read", { threadId, includeTurns: true });
    await waitUntilStored(async () => (await read()).thread, "First.");
    await running.kill();
    await page.hub(({ state }) => state === "reconnecting");
    await live.listen(running.port);
    const back = await page.hub((each) => each.state === "ready" && each.epoch === epoch + 1);
    assert.equal(back.id, hub);
    // It was resumed by the gateway: the page continues as though nothing had been.
    await page.result(hub, "turn/start", { threadId, input: input("Second.") });
    assert.equal(await completed(page, hub, 1), "completed");
    assert.match(live.mock.last?.inputText() ?? "", /First\.[\s\S]*Second\./);
  });

  test("a server is found by itself, is not spoken for, and is found again", async () => {
    await using live = await start();
    const running = await live.listen();
    await using gateway = testGateway({ discovery: { ports: [running.port], everyMs: 20 } });
    await using page = await openPage(gateway);
    const { id: hub, kind, name, epoch } = await page.hub();
    assert.equal(kind, "discovered");
    assert.equal(name, `127.0.0.1:${running.port}`);
    const { data } = await page.result<{ data: unknown[] }>(hub, "thread/loaded/list");
    assert.deepEqual(data, []);
    await running.kill();
    const lost = await page.hub(({ state }) => state === "disconnected");
    assert.match(lost.error ?? "", /reconnects as soon as it runs/);
    await live.listen(running.port);
    const back = await page.hub(({ state }) => state === "ready");
    assert.equal(back.id, hub);
    assert.equal(back.epoch, epoch + 1);
    assert.equal(
      page.history(hub).some(({ attempt }) => attempt > 0),
      false,
    );
  });

  test("a spawned server that dies is started anew, and ends with the gateway in the middle of a turn", async () => {
    await using live = await start();
    const hold = gate();
    live.mock.script(reply().text(["Still ", hold, "talking."]));
    const gateway = testGateway({ spawned: [live.spawned] });
    try {
      await using page = await openPage(gateway);
      const { id: hub, epoch } = await page.hub();
      for (const { pid } of await taggedProcesses(live.tag)) {
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // Went with its parent.
        }
      }
      await page.hub((each) => each.state === "ready" && each.epoch === epoch + 1);
      const threadId = await newThread(page, hub, live);
      await page.result(hub, "turn/start", { threadId, input: input("Talk.") });
      await page.hears(hub, "item/agentMessage/delta");
    } finally {
      await gateway.close();
      hold.open();
    }
    await assertNoProcesses({ tag: live.tag });
  });
});
