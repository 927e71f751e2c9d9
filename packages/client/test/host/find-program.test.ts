/** A server that is started by its name, wherever it was installed. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CodexClient, ConnectionError } from "@quire/client";
import { locateServer } from "@quire/client/link";
import { tempDir } from "@quire/testkit";
import { appServer } from "../faults/support/child.ts";
import { rejection } from "../faults/support/test.ts";

async function program(path: string, text = "#!/bin/sh\n"): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
  return path;
}

/** An empty machine: nothing is on PATH, in the home, or shared by users. */
async function machine() {
  const dir = await tempDir("quire-find-");
  const at = (...parts: string[]) => join(dir.path, ...parts);
  const nowhere = { env: { PATH: at("bin") }, home: at("home"), shared: [at("shared")], from: [at("app", "src")] };
  const locate = (name: string, more = {}) => locateServer({ command: [name, "app-server"], ...nowhere, ...more });
  return { at, locate, [Symbol.asyncDispose]: dir[Symbol.asyncDispose] };
}

test("codex is taken from PATH, then from node_modules, then from where installers put it", async () => {
  await using here = await machine();
  const extension = (version: string) =>
    here.at("home/.vscode/extensions", `openai.chatgpt-${version}`, "bin", platformFolder, "codex");
  await program(extension("0.4.9"));
  const newest = await program(extension("0.4.10"));
  assert.deepEqual(await here.locate("codex"), [newest, "app-server"]);
  const shared = await program(here.at("shared/codex"));
  assert.deepEqual(await here.locate("codex"), [shared, "app-server"]);
  const own = await program(here.at("home/.local/bin/codex"));
  assert.deepEqual(await here.locate("codex"), [own, "app-server"]);
  const launcher = await program(here.at("app/node_modules/@openai/codex/bin/codex.js"));
  assert.deepEqual(await here.locate("codex"), [process.execPath, launcher, "app-server"]);
  await program(here.at("bin/codex"));
  assert.deepEqual(await here.locate("codex"), ["codex", "app-server"]);
});

const platformFolder = `${{ linux: "linux", darwin: "macos", win32: "windows" }[process.platform as string]}-${
  { x64: "x86_64", arm64: "aarch64" }[process.arch as string]
}`;

test("a server that is nowhere is refused with the line that installs it", async () => {
  await using here = await machine();
  // Neither a folder of the name nor a file that may not be run is a program.
  await mkdir(here.at("bin/codex"), { recursive: true });
  await program(here.at("home/.local/bin/codex"));
  await chmod(here.at("home/.local/bin/codex"), 0o644);
  for (const [name, line] of [
    ["codex", /^codex was not found .*"npm install -g @openai\/codex".*server: "quire"/],
    ["quire", /^quire was not found .*"npm install @quire\/cli"/],
  ] as const) {
    const error = await rejection(here.locate(name));
    assert.ok(ConnectionError.is(error) && error.code === "spawn-failed");
    assert.match(error.message, line);
  }
});

test("a program of any other name, or with a path, is left as it is", async () => {
  await using here = await machine();
  for (const name of ["./codex", "/opt/codex", "toString", "codex2"]) {
    assert.deepEqual(await here.locate(name), [name, "app-server"]);
  }
});

test("a program that depends on codex starts that one, in whatever folder it runs, and none of that folder", async () => {
  await using here = await machine();
  const [node = "", fixture = ""] = appServer();
  const modules = here.at("app/node_modules");
  await program(join(modules, "@openai/codex/bin/codex.js"), `await import(${JSON.stringify(fixture)});`);
  await program(here.at("repo/node_modules/@openai/codex/bin/codex.js"), "throw new Error('of the repository')");
  await writeFile(join(modules, "@openai/codex/package.json"), '{"type":"module"}');
  await mkdir(join(modules, "@quire"));
  const client = fileURLToPath(new URL("..", import.meta.resolve("@quire/client")));
  await symlink(client, join(modules, "@quire/client"));
  await writeFile(here.at("app/package.json"), '{"type":"module"}');
  await program(
    here.at("app/main.js"),
    `import { CodexClient } from "@quire/client";
const codex = await CodexClient.spawn({ env: { ADDED: "yes", PATH: ${JSON.stringify(here.at("bin"))} } });
const { agentMessage } = await (await codex.thread()).run("say hello");
console.log(agentMessage, codex.state);
await codex.close();`,
  );
  const cwd = here.at("repo");
  const { stdout } = await promisify(execFile)(process.execPath, [here.at("app/main.js")], { cwd });
  assert.equal(stdout, "hello ready\n", node);
});

test('server: "quire" starts the launcher of @quire/cli, and variables are added to those of this process', async () => {
  await using here = await machine();
  const [node, fixture] = appServer();
  const script = `#!/bin/sh\n[ "$1" = app-server ] && [ "$ADDED" = yes ] && [ -z "$DROPPED" ] && exec ${node} ${fixture}\n`;
  await program(here.at("bin/quire"), script);
  process.env.DROPPED = "no";
  try {
    const PATH = `${here.at("bin")}:${process.env.PATH}`;
    const env = { PATH, ADDED: "yes", DROPPED: undefined };
    await using client = await CodexClient.spawn({ server: "quire", env });
    assert.equal((await (await client.thread()).run("say hello")).agentMessage, "hello");
  } finally {
    delete process.env.DROPPED;
  }
});
