/** Where no sandbox can be had, what should be in one does not run. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { reply } from "@quire/testkit";
import { sandboxLauncher } from "../../../src/run/sandbox/sandbox-launcher.ts";
import { SandboxUnavailable } from "../../../src/run/sandbox/unavailable.ts";
import { workspaceWrite } from "../../attacks/support/attempt.ts";
import { type World, world } from "../../attacks/support/world.ts";
import { command, testServer, unattended } from "../../support/test-server.ts";

function launchWith(place: World, path: string) {
  const launch = { argv: ["/bin/true"], cwd: place.workspace, env: {} };
  const confinement = { policy: workspaceWrite(), workspace: [place.workspace], tty: false };
  return () => sandboxLauncher({ home: place.home, env: { PATH: path } })(launch, confinement);
}

test("a command does not run without bubblewrap, and its error names the remedy", async () => {
  await using place = await world();
  const bin = join(place.base, "bin");
  mkdirSync(bin);
  for (const name of ["sh", "bash", "touch"]) symlinkSync(`/bin/${name}`, join(bin, name));
  await using server = await testServer({ home: place.home, model: "scripted", env: { PATH: bin } });
  const threadId = await server.client.thread({ ...unattended, cwd: place.workspace });
  server.model.script(command("touch ran"), reply().text("done"));
  const errors: unknown[] = [];
  server.client.on(
    "error",
    (params) => void errors.push((params as { error: { codexErrorInfo: unknown } }).error.codexErrorInfo),
  );
  assert.equal((await server.client.turn(threadId)).status, "completed");
  assert.deepEqual(errors, ["sandboxError"], "the user hears of it, for the model cannot mend it");
  assert.ok(!existsSync(join(place.workspace, "ran")));
  const [item] = server.client.items.filter((each) => each.type === "commandExecution");
  assert.equal(item?.status, "failed");
  assert.match(item?.aggregatedOutput ?? "", /apt-get install bubblewrap/);
  assert.match(JSON.stringify(server.model.last.body.input), /apt-get install bubblewrap/);
});

test("a bubblewrap that does not work here is told apart from one that is missing", async () => {
  await using place = await world();
  writeFileSync(join(place.outside, "bwrap"), "#!/bin/sh\necho no namespaces here >&2\nexit 1\n");
  chmodSync(join(place.outside, "bwrap"), 0o755);
  const launch = launchWith(place, place.outside);
  assert.throws(
    launch,
    (error) => error instanceof SandboxUnavailable && /no namespaces here.*user namespaces/.test(error.message),
  );
});

test("a bubblewrap in a folder that commands can write, or that is not named in full, is not taken", async () => {
  await using place = await world();
  writeFileSync(join(place.workspace, "bwrap"), "#!/bin/sh\nexit 0\n");
  chmodSync(join(place.workspace, "bwrap"), 0o755);
  symlinkSync(join(place.workspace, "bwrap"), join(place.outside, "bwrap"));
  for (const path of [place.workspace, "workspace", place.outside]) {
    assert.throws(launchWith(place, path), /bubblewrap not found/);
  }
});
