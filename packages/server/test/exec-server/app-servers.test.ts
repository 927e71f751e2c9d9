/** App-servers on our exec-server: Codex's own, and ours. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Connection } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import { codexVersion } from "@quire/protocol/version";
import { createExecServer, listenExecServer } from "@quire/server/exec-server";
import {
  eventually,
  type MockResponses,
  mockResponses,
  type Reply,
  realCodex,
  reply,
  skipWithoutCodex,
} from "@quire/testkit";
import { testServer } from "../support/test-server.ts";
import { url } from "./support/exec-client.ts";

const skip = await skipWithoutCodex(codexVersion);
const call = (cmd: string, more: object = {}) => reply().functionCall("exec_command", { cmd, ...more });
const patch =
  "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** Update File: out.txt\n@@\n-there\n+where\n*** End Patch";

/** Everything that the model was told. */
const told = ({ requests }: MockResponses) => JSON.stringify(requests.map(({ body }) => body.input));

for (const sandbox of ["danger-full-access", "workspace-write"]) {
  const name = `Codex's app-server runs, patches, kills and comes back with ${sandbox}`;
  test(name, { skip, timeout: 120_000 }, async () => {
    await using server = createExecServer();
    const first = listenExecServer(server, { url: "ws://127.0.0.1:0" });
    await using model = await mockResponses();
    await using codex = await realCodex(codexVersion, { model });
    await using peer = new Connection(await spawnTransport(codex));
    const items: { type: string; status?: string; exitCode?: number; aggregatedOutput?: string }[] = [];
    let ended = 0;
    let connected = 0;
    peer.on("item/completed", (params) => void items.push((params as { item: (typeof items)[number] }).item));
    peer.on("turn/completed", () => void ended++);
    peer.on("thread/environment/connected", () => void connected++);
    const initialize = { clientInfo: { name: "test", version: "1" }, capabilities: { experimentalApi: true } };
    await peer.request("initialize", initialize);
    peer.notify("initialized", {});
    await peer.request("environment/add", { environmentId: "far", execServerUrl: first.address });
    const environments = [{ environmentId: "far", cwd: codex.cwd }];
    const { thread } = (await peer.request("thread/start", { approvalPolicy: "never", sandbox, environments })) as {
      thread: { id: string };
    };
    const turn = async (...replies: Reply[]) => {
      model.script(...replies, reply().text("done"));
      const before = ended;
      await peer.request("turn/start", { threadId: thread.id, input: [{ type: "text", text: "go" }] });
      await eventually(() => ended > before, { timeoutMs: 30_000 });
    };
    const item = (type: string) => items.findLast((each) => each.type === type);

    await turn(call("echo there > out.txt; cat out.txt; exit 3"));
    assert.equal(item("commandExecution")?.exitCode, 3);
    assert.match(item("commandExecution")?.aggregatedOutput ?? "", /there\n$/);

    await turn(call(`apply_patch <<'EOF'\n${patch}\nEOF`));
    assert.equal(item("fileChange")?.status, "completed");
    const files = ["new.txt", "out.txt"].map((file) => readFileSync(join(codex.cwd, file), "utf8"));
    assert.deepEqual(files, ["hello\n", "where\n"]);

    await turn(call("echo $$; exec sleep 1000", { tty: true, yield_time_ms: 250 }));
    await peer.request("thread/backgroundTerminals/clean", { threadId: thread.id });
    await eventually(() => item("commandExecution")?.status === "failed", { timeoutMs: 30_000 });

    await first.close();
    const port = new URL(first.address).port;
    const second = listenExecServer(server, { url: `ws://127.0.0.1:${port}` });
    await eventually(() => connected > 0, { timeoutMs: 60_000 });
    await turn(call("cat new.txt"));
    assert.match(item("commandExecution")?.aggregatedOutput ?? "", /hello\n$/);
    await peer.close();
    await second.close();
  });
}

test("our app-server runs commands on our exec-server, ends them, and comes back after it was away", async () => {
  await using far = createExecServer();
  const first = listenExecServer(far, { url: "ws://127.0.0.1:0" });
  await using server = await testServer();
  const { client, model, cwd } = server;
  await client.request("environment/add", { environmentId: "far", execServerUrl: first.address });
  assert.equal((await client.request("environment/info", { environmentId: "far" })).cwd, url(process.cwd()));
  const threadId = await client.thread({
    approvalPolicy: "never",
    sandbox: "danger-full-access",
    environments: [{ environmentId: "far", cwd }],
  });
  model.script(call("echo there > out.txt; cat out.txt; exit 3"), reply().text("done"));
  await client.turn(threadId);
  assert.equal(readFileSync(join(cwd, "out.txt"), "utf8"), "there\n");
  assert.match(told(model), /code 3[\s\S]*there/);

  model.script(call("echo begun; exec sleep 1000"), reply().text("done"));
  const cut = client.turn(threadId);
  await client.waitFor("item/commandExecution/outputDelta", ({ delta }) => delta.includes("begun"));
  await first.close();
  await cut;
  assert.match(told(model), /the environment was disconnected/);
  const port = new URL(first.address).port;
  const second = listenExecServer(far, { url: `ws://127.0.0.1:${port}` });
  await client.waitFor("thread/environment/connected");
  model.script(call("cat out.txt"), reply().text("done"));
  await client.turn(threadId);
  await second.close();
});
