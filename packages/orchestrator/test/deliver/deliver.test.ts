import assert from "node:assert/strict";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { eventually, tempDir } from "@quire/testkit";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { type Place, place } from "../support/place.ts";
import { type BareRepository, bareRepository, gitIn } from "../support/repository.ts";

const patient = { timeoutMs: 30_000 };

interface Stage extends AsyncDisposable {
  readonly at: Place;
  readonly tracker: MemoryTracker;
  readonly origin: BareRepository;
  /** Text of the pull request of A. */
  pull(): string;
  editPull(from: string | RegExp, to: string): void;
}

/** An orchestrator whose workspaces are clones of a bare repository, to which it delivers. */
async function stage(deliver: Record<string, unknown> = {}, behaviour = "work"): Promise<Stage> {
  const dir = await tempDir();
  const origin = bareRepository(dir.path);
  const pulls = join(dir.path, "pulls");
  const tracker = new MemoryTracker(issueOf("A"));
  const at = await place(tracker, {
    behaviour,
    settings: {
      hooks: { after_create: `git clone -q '${origin.path}' .` },
      tracker: { active_states: ["Todo", "Rework"] },
      budget: { price_per_million: { input: 2000, output: 52_000 } },
      deliver: { to: "folder", provider: { path: pulls }, remote: origin.path, ...deliver },
    },
  });
  const file = join(pulls, "quire_A.md");
  return {
    at,
    tracker,
    origin,
    pull: () => (existsSync(file) ? readFileSync(file, "utf8") : ""),
    editPull: (from, to) => writeFileSync(file, readFileSync(file, "utf8").replace(from, to)),
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]();
      await dir.remove();
    },
  };
}

/** Waits until a run is over and delivered, and its issue let go. */
async function letGo({ at }: Stage): Promise<void> {
  await at.until("the end of the run", ({ retrying }) => retrying.length === 1);
  at.clock.advance(1000);
  await at.until("it to be let go", ({ finished, running }) => finished.length === 1 && running.length === 0);
}

describe("delivery", () => {
  test("commits what the agent left, pushes its branch, opens a pull request and keeps a comment", async () => {
    await using s = await stage();
    await s.at.orchestrator.start();
    await eventually(() => s.tracker.notes.get("A") !== undefined, patient);
    assert.deepEqual(s.origin.log("quire/A"), ["A: Title of A", "first"]);
    assert.equal(s.origin.git("log", "-1", "--format=%an <%ae>", "quire/A").trim(), "Quire <quire@localhost>");
    assert.match(s.origin.git("show", "--stat", "quire/A"), /made\.txt/);
    assert.deepEqual(s.origin.log("main"), ["first"]);
    for (const words of [
      'title: "A: Title of A"',
      "branch: quire/A",
      "I made made.txt.",
      "1 run, 1 turn, 0 tokens, 0.00 US dollars",
    ]) {
      assert.ok(s.pull().includes(words), `${words} in ${s.pull()}`);
    }
    assert.match(
      s.tracker.notes.get("A") ?? "",
      /Pull request: .*quire_A\.md\n\nState: waits for a review, a person merges it/,
    );
    await s.at.look();
    assert.deepEqual(s.origin.log("main"), ["first"], "nothing is merged that the workflow does not say");
  });

  test("words of a reviewer go back to the same thread, and what is approved then is merged and cleaned up", async () => {
    const states = { rework: "Rework", merging: "Merging", done: "Done" };
    await using s = await stage({ merge: "approved", states });
    await s.at.orchestrator.start();
    await eventually(() => s.pull() !== "", patient);
    await letGo(s);
    s.editPull(/$/, "\n## Review\n\nPlease say more.\u{E0041}\n");
    await s.at.look();
    await eventually(() => s.origin.log("quire/A").length === 3, patient);
    assert.match(s.origin.git("show", "--stat", "quire/A"), /reworked\.txt/);
    const wire = s.at.wire("A");
    assert.equal(wire.find(({ method }) => method === "thread/resume")?.params.threadId, "thread-1");
    const prompts = wire.flatMap(({ prompt }) => prompt ?? []);
    assert.match(prompts[1], /needs changes:\n\n- Please say more\.⟦U\+E0041⟧\n\nMake them/);
    await letGo(s);
    await s.at.look();
    assert.deepEqual(s.origin.log("main"), ["first"]);
    s.editPull("review: none", "review: approved");
    await s.at.look();
    await eventually(() => s.tracker.state("A") === "Done", patient);
    await eventually(() => !existsSync(join(s.at.root, "A")), patient);
    assert.deepEqual(s.tracker.written, ["A Rework", "A Merging", "A Done"]);
    assert.match(s.origin.git("show", "main:reworked.txt"), /\d/);
    assert.match(s.pull(), /state: merged/);
    assert.match(s.tracker.notes.get("A") ?? "", /State: merged/);
  });

  test("an approval of what was there before counts no more after a push", async () => {
    await using s = await stage({ merge: "approved", states: { rework: "Rework" } });
    await s.at.orchestrator.start();
    await eventually(() => s.pull() !== "", patient);
    await letGo(s);
    s.editPull("review: none", "review: approved");
    s.editPull(/$/, "\n## Review\n\nOne more thing.\n");
    await s.at.look();
    await eventually(() => s.origin.log("quire/A").length === 3, patient);
    await eventually(() => /review: none/.test(s.pull()), patient);
    assert.deepEqual(s.origin.log("main"), ["first"]);
  });

  test("a branch that somebody else pushed to is not overwritten, and the reason is told", async () => {
    await using s = await stage({ states: { rework: "Rework" } });
    await s.at.orchestrator.start();
    await eventually(() => s.pull() !== "", patient);
    await letGo(s);
    const other = join(s.at.path, "other");
    gitIn(s.at.path, "clone", "-q", "-b", "quire/A", s.origin.path, other);
    gitIn(other, "commit", "-q", "--allow-empty", "-m", "by a person");
    gitIn(other, "push", "-q");
    s.editPull(/$/, "\n## Review\n\nMore.\n");
    await s.at.look();
    await eventually(() => /could not deliver, and will retry: .*(stale info|rejected)/s.test(s.at.log()), patient);
    assert.equal(s.origin.log("quire/A")[0], "by a person");
  });

  test("a remote that is gone loses nothing, and gets its branch when it is back", async () => {
    await using s = await stage({}, "work-readme");
    await s.at.orchestrator.start();
    await eventually(() => s.at.wire("A").length > 0, patient);
    renameSync(s.origin.path, `${s.origin.path}.away`);
    writeFileSync(join(s.at.root, "A", "go"), "");
    await letGo(s);
    assert.match(s.at.log(), /could not deliver, and will retry/);
    s.tracker.move("A", "Review");
    renameSync(`${s.origin.path}.away`, s.origin.path);
    await s.at.look();
    await eventually(() => s.pull() !== "", patient);
    assert.deepEqual(s.origin.log("quire/A"), ["A: Title of A", "first"]);
  });

  test("a workspace's own configuration leads neither the push nor a program anywhere", async () => {
    await using s = await stage({}, "evil-config");
    await s.at.orchestrator.start();
    await eventually(() => s.pull() !== "", patient);
    assert.deepEqual(s.origin.log("quire/A"), ["A: Title of A", "first"]);
    assert.ok(!existsSync(join(s.at.root, "A", "ran")));
    assert.ok(!existsSync(join(s.at.path, "ran")));
  });

  test("each step can be switched off: what is not to be committed stays, what is not to be offered is only pushed", async () => {
    await using uncommitted = await stage({ commit: false });
    await uncommitted.at.orchestrator.start();
    await eventually(() => /nothing to deliver/.test(uncommitted.at.log()), patient);
    assert.ok(existsSync(join(uncommitted.at.root, "A", "made.txt")));
    assert.equal(uncommitted.pull(), "");
    await using s = await stage({ pull_request: false, states: { review: "Review" } });
    await s.at.orchestrator.start();
    await eventually(() => /info delivered/.test(s.at.log()), patient);
    assert.equal(s.tracker.state("A"), "Review");
    assert.deepEqual(s.origin.log("quire/A"), ["A: Title of A", "first"]);
    assert.deepEqual([s.pull(), s.tracker.notes.get("A")], ["", undefined]);
  });

  test("where prices are known, the cost of all rounds is told in money", async () => {
    await using s = await stage({}, "work-tokens");
    await s.at.orchestrator.start();
    await eventually(() => s.tracker.notes.get("A") !== undefined, patient);
    assert.match(s.pull(), /1 run, 1 turn, 1500 tokens, 3\.50 US dollars/);
    assert.match(s.tracker.notes.get("A") ?? "", /Cost so far: .*, 3\.50 US dollars/);
  });

  test("an agent that changed nothing has nothing delivered", async () => {
    await using s = await stage({}, "hand-over");
    await s.at.orchestrator.start();
    await eventually(() => s.tracker.state("A") === "Review", patient);
    gitIn(join(s.at.root, "A"), "status");
    writeFileSync(join(s.at.root, "A", ".git", "info", "exclude"), "go\n");
    writeFileSync(join(s.at.root, "A", "go"), "");
    await eventually(() => /nothing to deliver/.test(s.at.log()), patient);
    assert.equal(s.pull(), "");
  });

  test("a change that conflicts with its base goes back to its agent, once", async () => {
    await using s = await stage({ merge: "green", states: { rework: "Rework" } }, "work-readme");
    const other = join(s.at.path, "other");
    gitIn(s.at.path, "clone", "-q", s.origin.path, other);
    writeFileSync(join(other, "readme.txt"), "By a person\n");
    gitIn(other, "commit", "-q", "-am", "by a person");
    await s.at.orchestrator.start();
    await eventually(() => s.at.log().includes("hook started"), patient);
    await eventually(() => existsSync(join(s.at.root, "A", "wire.jsonl")), patient);
    gitIn(other, "push", "-q");
    writeFileSync(join(s.at.root, "A", "go"), "");
    await eventually(() => s.pull() !== "", patient);
    await letGo(s);
    await s.at.look();
    await eventually(() => s.tracker.written.includes("A Rework"), patient);
    assert.equal(s.origin.log("main")[0], "by a person");
  });
});
