/** What is asked of a thread, or of a server, while it closes: nothing begins that nobody would end. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually, reply } from "@quire/testkit";
import { command, testServer, unattended } from "../support/test-server.ts";

test("no turn and no thread begins while the server closes", async () => {
  await using server = await testServer();
  const cwd = server.home;
  const threadId = await server.client.thread({ ...unattended, cwd, sandbox: "danger-full-access" });
  // A command that does not end when it is asked to keeps the server closing for a while.
  server.model.script(command("trap '' TERM; touch begun; while :; do sleep 1; done", { yield_time_ms: 250 }));
  server.model.fallback(reply().text("done"));
  await server.client.turn(threadId);
  await eventually(() => existsSync(join(cwd, "begun")));

  const closed = server.close();
  server.model.fallback(command("touch evil"));
  const input = [{ type: "text", text: "go", text_elements: [] }];
  await assert.rejects(server.client.request("turn/start", { threadId, input }), /is closing/);
  await assert.rejects(server.client.request("thread/start", { cwd }), /is closing/);
  await closed;
  assert.equal(server.model.requests.length, 2);
  assert.ok(!existsSync(join(cwd, "evil")));
});
