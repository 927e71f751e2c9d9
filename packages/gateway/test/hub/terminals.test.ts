import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptedGateway } from "../support/test-gateway.ts";
import { openPage } from "../support/test-page.ts";

const exec = (processId: string) => ({ processId, command: ["sh"], cwd: "/w", tty: true, streamStdoutStderr: true });
const text = (words: string) => Buffer.from(words).toString("base64");

test("a terminal outlives its page, with what it wrote, until somebody closes it", async () => {
  await using stage = scriptedGateway();
  await using first = await openPage(stage.gateway);
  const { id } = await first.hub();
  const running = Promise.withResolvers<unknown>();
  stage.server.on("command/exec", () => running.promise);
  await first.result(id, "gateway/terminal/open", { threadId: "t", exec: exec("one") });
  stage.server.notify("command/exec/outputDelta", { processId: "one", stream: "stdout", deltaBase64: text("a") });
  stage.server.notify("command/exec/outputDelta", { processId: "other", stream: "stdout", deltaBase64: text("b") });
  await first.hears(id, "command/exec/outputDelta", 1);
  await first[Symbol.asyncDispose]();

  await using second = await openPage(stage.gateway);
  await second.hub();
  const info = { processId: "one", threadId: "t", cwd: "/w", ended: null };
  assert.deepEqual(await second.result(id, "gateway/terminal/list"), { terminals: [info] });
  assert.deepEqual(await second.result(id, "gateway/terminal/attach", { processId: "one" }), {
    output: [text("a")],
    ended: null,
  });
  running.resolve({ exitCode: 3, stdout: "", stderr: "" });
  const { params } = await second.hears(id, "gateway/terminal/changed");
  assert.deepEqual(params, { terminals: [{ ...info, ended: { exitCode: 3, error: null } }] });
  await second.result(id, "gateway/terminal/close", { processId: "one" });
  assert.deepEqual(await second.result(id, "gateway/terminal/list"), { terminals: [] });
  const gone = await second.call(id, "gateway/terminal/attach", { processId: "one" });
  assert.match(gone.error?.message ?? "", /no such terminal/);
});

test("terminals are bounded, named once, and no server speaks for the gateway", async () => {
  await using stage = scriptedGateway();
  await using page = await openPage(stage.gateway);
  const { id } = await page.hub();
  stage.server.on("command/exec", () => new Promise(() => undefined));
  stage.server.notify("gateway/terminal/changed", { terminals: [{ processId: "x" }] });
  for (let count = 0; count < 16; count += 1) {
    await page.result(id, "gateway/terminal/open", { threadId: "t", exec: exec(`p${count}`) });
  }
  const again = await page.call(id, "gateway/terminal/open", { threadId: "t", exec: exec("p1") });
  assert.match(again.error?.message ?? "", /open already/);
  const more = await page.call(id, "gateway/terminal/open", { threadId: "t", exec: exec("more") });
  assert.match(more.error?.message ?? "", /16 terminals are open/);
  const none = await page.call(id, "gateway/terminal/open", { exec: {} });
  assert.match(none.error?.message ?? "", /needs a threadId/);
  const unknown = await page.call(id, "gateway/anything", {});
  assert.notEqual(unknown.error, undefined);
  assert.ok(page.heard(id, "gateway/terminal/changed").every(({ params }) => !JSON.stringify(params).includes('"x"')));
});
