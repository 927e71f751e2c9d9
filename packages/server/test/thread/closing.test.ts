/** What is asked of a thread, or of a server, while it closes: nothing begins that nobody would end. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually, reply } from "@quire/testkit";
import { embedded } from "../support/embedded.ts";
import { command, scripted } from "../support/scripted.ts";

test("no turn and no thread begins while the server closes", async () => {
  await using home = await embedded();
  await using server = await scripted(join(home.home, "own"));
  const cwd = home.home;
  const threadId = await server.thread({ cwd, sandbox: "danger-full-access" });
  // A command that does not end when it is asked to keeps the server closing for a while.
  server.model.script(command("trap '' TERM; touch begun; while :; do sleep 1; done", { yield_time_ms: 250 }));
  server.model.fallback(reply().text("done"));
  await server.turn(threadId);
  await eventually(() => existsSync(join(cwd, "begun")));

  const closed = server.closeServer();
  server.model.fallback(command("touch evil"));
  const input = [{ type: "text", text: "go", text_elements: [] }];
  await assert.rejects(server.rpc.request("turn/start", { threadId, input }), /is closing/);
  await assert.rejects(server.rpc.request("thread/start", { cwd }), /is closing/);
  await closed;
  assert.equal(server.model.requests.length, 2);
  assert.ok(!existsSync(join(cwd, "evil")));
});
