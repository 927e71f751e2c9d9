/** What works in the sandbox: a command must not suffer from what holds an attack back. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import type { SandboxPolicy } from "@quire/protocol";
import { eventually } from "@quire/testkit";
import { RunningProcess } from "../../../src/run/process/running-process.ts";
import { sandboxLauncher } from "../../../src/run/sandbox/sandbox-launcher.ts";
import { outputOf, workspaceWrite } from "../../attacks/support/attempt.ts";
import { type World, world } from "../../attacks/support/world.ts";

function confined(
  place: World,
  script: string,
  policy: SandboxPolicy = workspaceWrite(),
  env: Record<string, string> = {},
) {
  const server = { PATH: process.env.PATH ?? "" };
  const launch = { argv: ["/bin/bash", "-c", script], cwd: place.workspace, env: { ...server, ...env } };
  return sandboxLauncher({ home: place.home, env: server })(launch, {
    policy,
    workspace: [place.workspace],
    tty: false,
  });
}

test("the workspace and /tmp can be written, all can be read, programs run", async () => {
  await using place = await world();
  const script =
    'echo one > made; chmod 755 made; cat ../outside/file; t=$(mktemp /tmp/quire-escape-XXXXXX) && rm "$t"; seq 3 | sort -r | head -1; echo two > /dev/null; ls /proc/self > /dev/null && echo fine';
  assert.equal(await outputOf(confined(place, script)), "untouched\n3\nfine\n");
  assert.ok(existsSync(join(place.workspace, "made")));
});

test("read-only lets nothing be written, the workspace included", async () => {
  await using place = await world();
  const output = await outputOf(
    confined(place, "cat ../outside/file; echo > made", { type: "readOnly", networkAccess: false }),
  );
  assert.match(output, /^untouched\n.*Read-only file system/s);
  assert.ok(!existsSync(join(place.workspace, "made")));
});

test("with network access, a command reaches others by TCP", async () => {
  await using place = await world();
  const server = createServer((_, response) => response.end("heard"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const script = `exec 3<> /dev/tcp/127.0.0.1/${port}; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; tail -n 1 <&3`;
  try {
    assert.equal(await outputOf(confined(place, script, workspaceWrite({ networkAccess: true }))), "heard");
  } finally {
    server.close();
  }
});

test("full access, and a sandbox from outside, leave the command as it is", async () => {
  await using place = await world();
  for (const policy of [
    { type: "dangerFullAccess" },
    { type: "externalSandbox", networkAccess: "enabled" },
  ] as SandboxPolicy[]) {
    assert.deepEqual(confined(place, "true", policy).argv, ["/bin/bash", "-c", "true"]);
  }
});

test("variables that say what to load reach the command, but not what starts its sandbox", async () => {
  await using place = await world();
  const launch = confined(place, 'echo "$LD_LIBRARY_PATH $BASH_ENV"', workspaceWrite(), {
    LD_LIBRARY_PATH: "/some/where",
    BASH_ENV: "/dev/null",
  });
  assert.deepEqual(Object.keys(launch.env), ["PATH"]);
  assert.equal(await outputOf(launch), "/some/where /dev/null\n");
});

test("a command that is asked to end can do so in its own way", async () => {
  await using place = await world();
  const { process: running, heard } = start(
    confined(place, "trap 'echo bye; exit 3' TERM; echo ready; sleep 1000 & wait"),
  );
  await eventually(() => heard().includes("ready"));
  await running.kill();
  assert.match(heard(), /bye/);
  assert.equal((await running.exited).code, 3);
});

test("Ctrl-C on a terminal is for the program on it, not for the sandbox", async () => {
  await using place = await world();
  const { process: running, heard } = start(
    confined(
      place,
      "perl -e '$| = 1; $SIG{INT} = sub { print qq(caught\\n) }; print qq(ready\\n); $n = <STDIN>; $n = <STDIN> unless defined $n; print qq(read $n)'",
    ),
    true,
  );
  await eventually(() => heard().includes("ready"));
  await running.write("\u0003");
  await eventually(() => heard().includes("caught"));
  await running.write("on\n");
  await running.exited;
  assert.match(heard(), /read on/);
});

test("output can be opened by its name, on pipes and on a terminal; files are moved between folders", async () => {
  await using place = await world();
  const script =
    "echo out > /dev/stdout; echo err | tee /dev/stderr; mkdir -p a/b; echo 1 > a/f; mv a/f a/b; cat a/b/f";
  for (const tty of [false, true]) {
    const { process: running, heard } = start(confined(place, script), tty);
    await running.exited;
    assert.equal(heard().replaceAll("\r", ""), "out\nerr\nerr\n1\n");
  }
});

test("a repository can be made, cloned and worked in below the workspace", async () => {
  await using place = await world();
  const script =
    "export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=a GIT_CONFIG_KEY_1=user.email GIT_CONFIG_VALUE_1=b; git init -q one && git -C one commit -q --allow-empty -m first && git clone -q one two && git -C two worktree add -q ../three && git -C three log --format=%s";
  assert.equal(await outputOf(confined(place, script)), "first\n");
});

test("skills and plugins' files in the home can be read, and a workspace below the home can be used", async () => {
  await using place = await world();
  const { home } = place;
  for (const folder of ["skills/one", "plugins/cache/two", "worktrees/three"])
    mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, "skills/one/SKILL.md"), "a skill\n");
  writeFileSync(join(home, "plugins/cache/two/file"), "of a plugin\n");
  const workspace = join(home, "worktrees/three");
  const server = { PATH: process.env.PATH ?? "" };
  const run = (script: string, policy: SandboxPolicy) =>
    outputOf(
      sandboxLauncher({ home, env: server })(
        { argv: ["/bin/bash", "-c", script], cwd: workspace, env: { ...server, SERVER_HOME: home } },
        { policy, workspace: [workspace], tty: false },
      ),
    );
  const read = 'cat "$SERVER_HOME/skills/one/SKILL.md" "$SERVER_HOME/plugins/cache/two/file"';
  assert.equal(await run(`${read}; echo made > file; cat file`, workspaceWrite()), "a skill\nof a plugin\nmade\n");
  assert.equal(
    await run(`${read}; cat file`, { type: "readOnly", networkAccess: false }),
    "a skill\nof a plugin\nmade\n",
  );
});

test("nothing is left where names were kept from the command", async () => {
  await using place = await world();
  await outputOf(confined(place, "true"));
  await eventually(() => readdirSync(place.workspace).length === 0);
});

/** Starts a launch as the server does, and listens. */
function start(launch: ReturnType<typeof confined>, tty = false) {
  let said = "";
  const running = new RunningProcess({
    ...launch,
    tag: `sandbox-test-${process.pid}`,
    tty: tty ? { cols: 80, rows: 24 } : undefined,
    onOutput: (bytes) => {
      said += new TextDecoder().decode(bytes);
    },
  });
  return { process: running, heard: () => said };
}
