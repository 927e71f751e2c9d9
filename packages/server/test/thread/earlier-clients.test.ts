/** What Codex 0.98 to 0.118 told their clients, and 0.166 tells by other means alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { reply } from "@quire/testkit";
import { type TestServer, testServer, unattended } from "../support/test-server.ts";

/** What a client hears of the given methods, in order: the method, and what tells one from another. */
function listen({ client }: TestServer, methods: readonly string[]): string[][] {
  const heard: string[][] = [];
  for (const method of methods) {
    client.on(method as never, (params) => {
      const { item, delta } = params as { item?: { type: string; status?: string }; delta?: string };
      const words = [item?.type, item?.status, delta].filter((word) => word !== undefined);
      if (item === undefined || item.type === "fileChange" || item.type === "contextCompaction")
        heard.push([method, ...words]);
    });
  }
  return heard;
}

const add = (path: string) => `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\n`;

test("a client that shows the output of patches sees it before the item ends, be it of one that failed", async () => {
  await using server = await testServer();
  const threadId = await server.client.thread({ ...unattended, cwd: server.home, sandbox: "danger-full-access" });
  const heard = listen(server, ["item/started", "item/fileChange/outputDelta", "item/completed"]);
  server.model.script(
    reply().customToolCall("apply_patch", add("a.txt")),
    reply().customToolCall("apply_patch", add("/proc/nothing/can/be/here")),
    reply().text("done"),
  );
  await server.client.turn(threadId);
  const [first, output, end, second, failure, failed] = heard;
  assert.deepEqual(first, ["item/started", "fileChange", "inProgress"]);
  assert.deepEqual(output, ["item/fileChange/outputDelta", "Success. Updated the following files:\nA a.txt\n"]);
  assert.deepEqual(end, ["item/completed", "fileChange", "completed"]);
  assert.deepEqual(second, ["item/started", "fileChange", "inProgress"]);
  assert.match(String(failure?.[1]), /^Nothing was changed: /);
  assert.deepEqual(failed, ["item/completed", "fileChange", "failed"]);
});

test("a client that knows a compaction by `thread/compacted` hears it after the item, and not of one that failed", async () => {
  await using server = await testServer();
  const threadId = await server.client.thread({ ...unattended, cwd: server.home });
  server.model.script(reply().text("hello"));
  await server.client.turn(threadId);
  const heard = listen(server, ["item/completed", "thread/compacted", "turn/completed"]);
  const compact = async () => {
    const ended = new Promise((resolve) => server.client.on("turn/completed", resolve));
    await server.client.request("thread/compact/start", { threadId });
    await ended;
  };
  server.model.script(reply().text("SUMMARY"));
  await compact();
  assert.deepEqual(heard.splice(0), [
    ["item/completed", "contextCompaction"],
    ["thread/compacted"],
    ["turn/completed"],
  ]);
  server.model.script(reply().failed("invalid_prompt", "no"));
  await compact();
  assert.ok(!heard.some(([method]) => method === "thread/compacted"));
});
