/** Runs on other machines, by real servers of OpenSSH on this one. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assertNoProcesses, eventually, taggedProcesses, tempDir } from "@quire/testkit";
import { sshExecutor } from "../../src/executor/ssh-executor.ts";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { type Place, type PlaceOptions, place } from "../support/place.ts";
import { bareRepository, gitIn } from "../support/repository.ts";
import { type SshHosts, sshHosts, withoutSshd } from "../support/sshd.ts";

const patient = { timeoutMs: 30_000 };
const options = { timeout: 180_000, skip: withoutSshd };

interface Stage extends AsyncDisposable {
  readonly hosts: SshHosts;
  readonly tracker: MemoryTracker;
  readonly at: Place;
  /** Path of an issue's workspace on a host. */
  workspace(host: number, key: string): string;
  /** Index of the host on which an issue's workspace is; -1 for none. */
  hostOf(key: string): number;
}

/** An orchestrator with so many hosts. */
async function stage(issues: readonly string[], count: number, more: PlaceOptions = {}): Promise<Stage> {
  const hosts = await sshHosts(count);
  const tracker = new MemoryTracker(...issues.map((name) => issueOf(name)));
  const at = await place(tracker, {
    env: { ...process.env, TEST_SECRET: "not for agents", QUIRE_SSH_CONFIG: hosts.config },
    ...more,
    settings: {
      ...more.settings,
      worker: { ssh_hosts: hosts.names, root: "~/work", ...more.settings?.worker },
    },
  });
  const workspace = (host: number, key: string) => join(hosts.homes[host] ?? "", "work", key);
  return {
    hosts,
    tracker,
    at,
    workspace,
    hostOf: (key) => hosts.homes.findIndex((_, host) => existsSync(join(workspace(host, key), "wire.jsonl"))),
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]();
      await hosts[Symbol.asyncDispose]();
    },
  };
}

const wireOf = (folder: string) =>
  readFileSync(join(folder, "wire.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("runs by ssh", () => {
  test("workspace, hooks and agent are on the host, and no variable of this machine goes there", options, async () => {
    const hooks = { before_run: 'env > env; printf "%s %s" "$HOME" "$QUIRE_ISSUE_TITLE" > ../made' };
    await using s = await stage(["A"], 1, { settings: { hooks } });
    await s.at.orchestrator.start();
    await s.at.until("the end of the run", ({ retrying }) => retrying.length === 1);
    const folder = s.workspace(0, "A");
    assert.equal(readFileSync(join(folder, "..", "made"), "utf8"), `${s.hosts.homes[0]} Title of A`);
    assert.doesNotMatch(readFileSync(join(folder, "env"), "utf8"), /not for agents|QUIRE_SSH_CONFIG/);
    const [started] = wireOf(folder);
    assert.deepEqual([started.cwd, started.secret], [folder, null]);
    assert.ok(!existsSync(join(s.at.root, "A")));
    s.at.clock.advance(1000);
    await eventually(() => !existsSync(folder), { ...patient, what: "the workspace of what is done to go" });
  });

  test("so many on each host as its limit says, and the rest waits", options, async () => {
    const worker = { max_concurrent_agents_per_host: 1 };
    await using s = await stage(["A", "B", "C"], 2, { behaviour: "wait", settings: { worker } });
    await s.at.orchestrator.start();
    await eventually(() => s.hostOf("A") >= 0 && s.hostOf("B") >= 0, patient);
    const { running, hosts, waiting } = s.at.orchestrator.snapshot();
    assert.deepEqual(running.map(({ host }) => host).toSorted(), s.hosts.names.toSorted());
    assert.deepEqual(
      hosts.map((each) => each.running),
      [1, 1],
    );
    assert.deepEqual(
      waiting.map(({ identifier }) => identifier),
      ["C"],
    );
    writeFileSync(join(s.workspace(s.hostOf("A"), "A"), "go"), "");
    await eventually(() => s.hostOf("C") >= 0, { ...patient, what: "the next to begin where there is room" });
  });

  test(
    "what an agent did there is committed, pushed and offered, and its workspace goes when it is saved",
    options,
    async () => {
      await using repository = await tempDir();
      const origin = bareRepository(repository.path);
      const pulls = join(repository.path, "pulls");
      const settings = {
        hooks: { after_create: `git clone -q '${origin.path}' .` },
        deliver: { to: "folder", provider: { path: pulls }, remote: origin.path },
      };
      await using s = await stage(["A"], 1, { behaviour: "work", settings });
      await s.at.orchestrator.start();
      await eventually(() => existsSync(join(pulls, "quire_A.md")), patient);
      assert.deepEqual(origin.log("quire/A"), ["A: Title of A", "first"]);
      await s.at.until("the end of the run", ({ retrying }) => retrying.length === 1);
      s.at.clock.advance(1000);
      await s.at.until("it to be let go", ({ finished }) => finished.length === 1);
      assert.ok(existsSync(s.workspace(0, "A")), "its agent's Review is not the end");
    },
  );

  test("a host that is lost is left out, and its issue goes elsewhere after what was pushed", options, async () => {
    await using repository = await tempDir();
    const origin = bareRepository(repository.path);
    const settings = {
      hooks: { after_create: `git clone -q '${origin.path}' .` },
      tracker: { active_states: ["Todo", "Rework"] },
      agent: { max_turns: 1 },
      deliver: { to: "folder", provider: { path: join(repository.path, "pulls") }, remote: origin.path },
    };
    await using s = await stage(["A"], 2, { behaviour: "work-twice", settings });
    await s.at.orchestrator.start();
    await eventually(() => origin.git("branch", "--list", "quire/A").includes("quire/A"), patient);
    const first = s.hostOf("A");
    assert.ok(first >= 0);
    await s.at.until("the end of the run", ({ retrying }) => retrying.length === 1);
    s.at.clock.advance(1000);
    await s.at.until("its next run", ({ running }) => running[0]?.turnCount === 1);
    const tag = `QUIRE_RUN=${s.at.orchestrator.snapshot().running[0]?.runId}`;
    assert.ok((await taggedProcesses(tag)).length > 0);
    await s.hosts.cut(first);
    await s.at.until("it to be noticed", ({ hosts, retrying }) => hosts[first]?.lost != null && retrying.length === 1);
    assert.match(s.at.orchestrator.issue("A")?.lastError?.code ?? "", /host_lost/);
    await assertNoProcesses({ tag }, patient);
    s.at.clock.advance(60_000);
    const other = s.workspace(1 - first, "A");
    await eventually(() => existsSync(join(other, "wire.jsonl")), { ...patient, what: "it to go on elsewhere" });
    assert.match(readFileSync(join(other, "made.txt"), "utf8"), /\d/, "the work that was pushed is there");
    await s.hosts.mend(first);
    s.at.clock.advance(60_000);
    await s.at.look();
    await s.at.until("the host to be taken in again", ({ hosts }) => hosts[first]?.lost === null);
  });

  test("an orchestrator that is killed leaves nothing there: the next one ends what is left", options, async () => {
    await using s = await stage(["A"], 1, { behaviour: "stubborn" });
    const executor = sshExecutor(s.hosts.names[0] ?? "", { ...process.env, QUIRE_SSH_CONFIG: s.hosts.config });
    const keeper = executor.workspaces({
      root: "~/work",
      hooks: {
        afterCreate: null,
        beforeRun: "trap '' HUP TERM; sleep 1000",
        afterRun: null,
        beforeRemove: null,
        timeoutMs: 60_000,
      },
      env: { QUIRE_RUN: "run-of-hook" },
      log: () => {},
    });
    const { path } = await keeper.prepare("B");
    const stop = new AbortController();
    const hook = keeper.beforeRun(path, stop.signal);
    await eventually(async () => (await taggedProcesses("QUIRE_RUN=run-of-hook")).length > 1, patient);
    stop.abort(new Error("stopped"));
    await assert.rejects(hook, /stopped/);
    await assertNoProcesses({ tag: "QUIRE_RUN=run-of-hook" }, patient);
  });

  test("a folder that is a link is refused, and one with work that is nowhere else stays", options, async () => {
    await using s = await stage([], 1);
    const [home = ""] = s.hosts.homes;
    mkdirSync(join(home, "work"), { mode: 0o700 });
    mkdirSync(join(home, "elsewhere"));
    symlinkSync(join(home, "elsewhere"), join(home, "work", "A"));
    const executor = sshExecutor(s.hosts.names[0] ?? "", { ...process.env, QUIRE_SSH_CONFIG: s.hosts.config });
    const hooks = {
      afterCreate: "git init -q",
      beforeRun: null,
      afterRun: null,
      beforeRemove: null,
      timeoutMs: 60_000,
    };
    const keeper = executor.workspaces({ root: "~/work", hooks, env: {}, log: () => {} });
    await assert.rejects(keeper.prepare("A"), { code: "unsafe_workspace_root", message: /symbolic link/ });
    await assert.rejects(keeper.remove("A"), { code: "unsafe_workspace_root" });
    const { path, createdNow } = await keeper.prepare("B");
    assert.ok(createdNow);
    assert.equal((await keeper.prepare("B")).createdNow, false);
    writeFileSync(join(path, "made"), "");
    await assert.rejects(keeper.remove("B"), { code: "workspace_kept", message: /uncommitted files/ });
    assert.deepEqual(readdirSync(path).toSorted(), [".git", "made"]);
    const git = (...args: string[]) => gitIn(path, ...args);
    git("add", "-A");
    git("commit", "-q", "-m", "made");
    git("update-ref", "refs/remotes/origin/main", "HEAD");
    git("update-index", "--assume-unchanged", "made");
    writeFileSync(join(path, "made"), "more");
    await assert.rejects(keeper.remove("B"), { code: "workspace_kept", message: /ignore changes/ });
    git("config", "core.worktree", join(home, "elsewhere"));
    await assert.rejects(keeper.remove("B"), { code: "workspace_kept", message: /another folder/ });
    git("config", "--unset", "core.worktree");
    git("update-index", "--no-assume-unchanged", "made");
    git("commit", "-q", "-a", "-m", "more");
    git("update-ref", "refs/remotes/origin/main", "HEAD");
    assert.ok(await keeper.remove("B"));
  });
});
