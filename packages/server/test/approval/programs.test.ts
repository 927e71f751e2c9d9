/** What stays as it was for programs that nobody has put in the way. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { allowLine } from "../../src/approval/rules/rule.ts";
import type { TurnSettings } from "../../src/record/turn-settings.ts";
import { sandboxLauncher } from "../../src/run/sandbox/sandbox-launcher.ts";
import { workspaceWrite } from "../attacks/support/attempt.ts";
import { gitIn, put } from "../attacks/support/planted.ts";
import { type World, world } from "../attacks/support/world.ts";
import { FakeThread } from "../tools/fake-context.ts";

interface Scene {
  readonly settings: Partial<TurnSettings>;
  readonly allowed?: readonly (readonly string[])[];
  readonly path?: string;
}

function threadIn(place: World, { settings, allowed = [], path = "/usr/bin:/bin" }: Scene): FakeThread {
  put(place)("user/.bash_profile", `PATH=$PATH:${place.base}/user/bin\n`);
  put(place)("workspace/home/rules/default.rules", allowed.map(allowLine).join(""));
  const env = { PATH: path, HOME: join(place.base, "user") };
  return new FakeThread(place.workspace, {
    env,
    launcher: async () => sandboxLauncher({ home: place.home, env }),
    settings,
  });
}

const confined: Partial<TurnSettings> = { approvalPolicy: "on-request", sandboxPolicy: workspaceWrite() };
const untrusted: Partial<TurnSettings> = { approvalPolicy: "untrusted" };
const asked = (thread: FakeThread) => thread.all("item/commandExecution/requestApproval");

test("what a rule allows runs outside of the sandbox, with and without a profile", async () => {
  for (const login of [true, false]) {
    await using place = await world();
    await using thread = threadIn(place, { settings: confined, allowed: [["touch"]] });
    await thread.call("exec_command", { cmd: `touch ${place.outside}/made`, login, shell: "bash" });
    assert.ok(existsSync(join(place.outside, "made")));
    // What is shown is what the model asked for.
    assert.match(thread.all("started")[0].command, new RegExp(`^\\S+bash ${login ? "-lc" : "-c"} 'touch `));
  }
});

test("what a rule allows is found where only the user's profile leads", async () => {
  await using place = await world();
  put(place)("user/bin/tool", `#!/bin/sh\ntouch ${place.outside}/made\n`);
  await using thread = threadIn(place, { settings: confined, allowed: [["tool"]] });
  await thread.call("exec_command", { cmd: "tool", shell: "bash" });
  assert.ok(existsSync(join(place.outside, "made")));
});

test("git that a rule allows works in the repository of the workspace, also from a folder in it", async () => {
  await using place = await world();
  const git = gitIn(place);
  git(".", "init", "-q");
  for (const name of ["a", "sub/b", "sub/c"]) put(place)(`workspace/${name}`, "text\n");
  await using thread = threadIn(place, { settings: confined, allowed: [["git"], ["cd"]] });
  for (const [cmd, workdir] of [
    ["git add a", "."],
    ["git add b", "sub"],
    ["cd sub && git add c", "."],
  ])
    await thread.call("exec_command", { cmd, workdir, login: false, shell: "bash" });
  assert.equal(git(".", "ls-files"), "a\nsub/b\nsub/c");
});

test("a build that a rule allows finds programs of the work", async () => {
  await using place = await world();
  put(place)("user/tools/make", `#!/bin/sh\ncompile > ${place.outside}/made\n`);
  put(place)("workspace/bin/compile", "#!/bin/sh\necho compiled\n");
  const path = `${place.workspace}/bin:${place.base}/user/tools:/usr/bin:/bin`;
  await using thread = threadIn(place, { settings: confined, allowed: [["make"]], path });
  await thread.call("exec_command", { cmd: "make", login: false, shell: "bash" });
  assert.equal(readFileSync(join(place.outside, "made"), "utf8"), "compiled\n");
});

test("looking is not asked about, neither at files nor at an ordinary repository", async () => {
  await using place = await world();
  const git = gitIn(place);
  git(".", "init", "-q");
  git(".", "config", "core.hooksPath", ".husky");
  git(".", "config", "core.fsmonitor", "true");
  git(".", "config", "remote.origin.url", "https://example.com/a.git");
  git(".", "config", "branch.main.remote", "origin");
  put(place)("workspace/sub/file", "text\n");
  git(".", "add", "sub/file");
  git(".", "commit", "-q", "-m", "one");
  await using thread = threadIn(place, { settings: untrusted });
  for (const [cmd, told] of [
    ["ls sub", /file/],
    ["cat sub/file | wc -l", /1/],
    ["git status", /On branch main/],
    ["git log --oneline", /one/],
    ["git diff", /exited with code 0/],
    ["cd sub && git status --short && ls", /file/],
    ["cd sub; ls; pwd", /file/],
  ] as const)
    for (const login of [true, false]) {
      assert.match(await thread.call("exec_command", { cmd, login, shell: "bash" }), told);
      assert.deepEqual(asked(thread), [], cmd);
    }
});

test("a question names the program where a command could have put it there, and offers no rule", async () => {
  await using place = await world();
  const file = put(place)("workspace/bin/tool", "#!/bin/sh\n");
  await using thread = threadIn(place, { settings: untrusted, path: `${place.workspace}/bin:/usr/bin:/bin` });
  thread.answer = async () => ({ decision: "accept" });
  const escalated = { login: false, shell: "bash", sandbox_permissions: "require_escalated", justification: "May I?" };
  await thread.call("exec_command", { cmd: "tool a", ...escalated });
  await thread.call("exec_command", { cmd: "touch a", ...escalated });
  const [first, second] = asked(thread);
  assert.equal(first.reason, `May I?; \`tool\` is ${file}, which commands in the sandbox can change`);
  assert.equal(first.proposedExecpolicyAmendment ?? null, null);
  assert.equal(second.reason, "May I?");
  assert.deepEqual(second.proposedExecpolicyAmendment, ["touch", "a"]);
});

test("a session's approval holds as long as the programs stay what they are", async () => {
  await using place = await world();
  put(place)("workspace/bin/tool", "#!/bin/sh\n");
  await using thread = threadIn(place, { settings: untrusted, path: `${place.workspace}/bin:/usr/bin:/bin` });
  thread.answer = async () => ({ decision: "acceptForSession" });
  const call = () => thread.call("exec_command", { cmd: "tool", login: false, shell: "bash" });
  await call();
  await call();
  assert.equal(asked(thread).length, 1);
  writeFileSync(join(place.workspace, "bin/tool"), "#!/bin/sh\nexit 1\n");
  await call();
  assert.equal(asked(thread).length, 2);
});
