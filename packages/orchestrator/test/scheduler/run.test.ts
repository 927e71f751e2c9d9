import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { eventually } from "@quire/testkit";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { type Place, place } from "../support/place.ts";

const ends = (at: Place) =>
  at.events.flatMap((event) => (event.type === "run.ended" ? [[event.outcome, event.error?.code ?? null]] : []));

/** A hook that notes that it ran, where it is found when the workspace has gone. */
const note = (name: string) => `echo ${name} >> "$HOME/hooks.log"`;
const noted = (at: Place) => {
  const file = join(at.path, "hooks.log");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
};

describe("timeouts", () => {
  for (const [behaviour, codex, name] of [
    ["silent:initialize", { read_timeout_ms: 200 }, "codex.read_timeout_ms"],
    ["hang", { turn_timeout_ms: 200 }, "codex.turn_timeout_ms"],
  ] as const) {
    test(`${name} is named by the error that it causes`, async () => {
      await using at = await place(new MemoryTracker(issueOf("A")), { behaviour, settings: { codex } });
      await at.orchestrator.start();
      const { retrying } = await at.until("the failure", (snapshot) => snapshot.retrying.length === 1);
      assert.match(retrying[0]?.error ?? "", new RegExp(`raise ${name}`));
    });
  }
});

describe("17.2 hooks of a run", () => {
  for (const [behaviour, settings, end] of [
    ["noop", { agent: { max_turns: 1 } }, ["Succeeded", null]],
    ["fail", {}, ["Failed", "turn_failed"]],
    ["hang", { codex: { turn_timeout_ms: 200 } }, ["TimedOut", "turn_timeout"]],
    ["exit", {}, ["Failed", "port_exit"]],
    ["exit-first", {}, ["Failed", "port_exit"]],
    ["needs", {}, ["Blocked", "turn_input_required"]],
  ] as const) {
    test(`after_run runs after a run that ended as ${end.join(", ")}`, async () => {
      await using at = await place(new MemoryTracker(issueOf("A")), {
        behaviour,
        settings: { ...settings, hooks: { before_run: note("before"), after_run: note("after") } },
      });
      await at.orchestrator.start();
      await eventually(() => ends(at).length === 1, { timeoutMs: 30_000 });
      assert.deepEqual(ends(at), [end]);
      assert.deepEqual(noted(at), ["before", "after"]);
    });
  }

  for (const [behaviour, outcome] of [
    ["noop", "succeeded"],
    ["fail", "failed"],
  ] as const) {
    test(`a hook knows the issue, its branch, and that the run ${outcome}`, async () => {
      const issue = issueOf("A", { title: "Fix $(touch x)", url: "https://tracker.example/A" });
      const print =
        'printf "%s|" "$QUIRE_ISSUE_TITLE" "$QUIRE_ISSUE_URL" "$QUIRE_BRANCH" "$QUIRE_OUTCOME" >> "$HOME/told"';
      await using at = await place(new MemoryTracker(issue), {
        behaviour,
        settings: { agent: { max_turns: 1 }, hooks: { before_run: print, after_run: print } },
      });
      await at.orchestrator.start();
      await eventually(() => ends(at).length === 1, { timeoutMs: 30_000 });
      const about = "Fix $(touch x)|https://tracker.example/A|quire/A";
      assert.equal(readFileSync(join(at.path, "told"), "utf8"), `${about}||${about}|${outcome}|`);
    });
  }

  test("after_run runs after a run that was ended because its issue is over, and before its workspace goes", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, {
      behaviour: "hang",
      settings: { hooks: { after_run: note("after"), before_remove: note("remove") } },
    });
    await at.orchestrator.start();
    await at.until("the turn", ({ running: [run] }) => run?.turnId != null);
    tracker.move("A", "Done");
    at.orchestrator.refresh();
    await at.until("the end", ({ finished }) => finished.length === 1);
    assert.deepEqual([ends(at), noted(at)], [[["CanceledByReconciliation", "terminal"]], ["after", "remove"]]);
    assert.ok(!existsSync(join(at.root, "A")));
  });

  test("a before_run that takes too long ends the run as timed out, and no agent is started", async () => {
    await using at = await place(new MemoryTracker(issueOf("A")), {
      settings: { hooks: { before_run: "sleep 1000", timeout_ms: 100 } },
    });
    await at.orchestrator.start();
    const { retrying } = await at.until("the failure", (snapshot) => snapshot.retrying.length === 1);
    assert.deepEqual(ends(at), [["TimedOut", "hook_timeout"]]);
    assert.match(retrying[0]?.error ?? "", /hooks\.before_run timed out after 100 ms/);
    assert.deepEqual(at.wire("A"), []);
  });

  test("hooks are told of in the log when they start and when they fail, with their issue", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, {
      behaviour: "fail",
      settings: { hooks: { before_run: "true", before_remove: "echo no; exit 3" } },
    });
    await at.orchestrator.start();
    await at.until("the failure", ({ retrying }) => retrying.length === 1);
    tracker.move("A", "Done");
    at.clock.advance(10_000);
    await at.until("the end", ({ finished }) => finished.length === 1);
    const about = '"issue_id":"id-A","issue_identifier":"A"';
    assert.match(at.log(), new RegExp(`info hook started {${about},"hook":"before_run"`));
    assert.match(at.log(), new RegExp(`warn hooks.before_remove exited with 3; output: no {${about}`));
  });
});

describe("17.5 tools of a run", () => {
  test("only the tracker's own are advertised, and they know the issue with what the provider calls it", async () => {
    const nativeRef = { node: 7 };
    const tracker = new MemoryTracker(issueOf("A", { nativeRef }));
    await using at = await place(tracker);
    await at.orchestrator.start();
    await eventually(() => tracker.state("A") === "Done", { timeoutMs: 30_000 });
    const { params } = at.wire("A").find(({ method }) => method === "thread/start") ?? {};
    assert.deepEqual(
      (params.dynamicTools as { name: string }[]).map(({ name }) => name),
      ["finish"],
    );
    assert.deepEqual(
      tracker.sessions.map(({ issue, workspace }) => [issue.nativeRef, workspace]),
      [[nativeRef, join(at.root, "A")]],
    );
  });

  test("a session keeps the tools that it began with when the workflow changes", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    const ran: number[] = [];
    tracker.finishing = (number) => ran.push(number);
    await using at = await place(tracker, { behaviour: "wait" });
    await at.orchestrator.start();
    await at.until("the turn", ({ running: [run] }) => run?.turnId != null);
    at.write(readFileSync(at.workflow, "utf8").replace("kind: memory", "kind: memory\n  provider: { other: 1 }"));
    await eventually(() => at.events.some((event) => event.type === "workflow.reloaded" && event.error === null));
    writeFileSync(join(at.root, "A", "go"), "");
    await eventually(() => ends(at).length === 1, { timeoutMs: 30_000 });
    assert.deepEqual(ran, [1], "by the tracker of its own workflow");
  });
});

describe("after a turn", () => {
  test("a tracker that does not say what became of the issue fails the run, which is made again", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    tracker.finishing = () => {
      tracker.failure = new Error("no route");
    };
    await using at = await place(tracker);
    await at.orchestrator.start();
    const { retrying } = await at.until("the failure", (snapshot) => snapshot.retrying.length === 1);
    assert.match(retrying[0]?.error ?? "", /no route/);
    assert.equal(ends(at)[0]?.[0], "Failed");
    tracker.failure = undefined;
    at.clock.advance(10_000);
    const { finished } = await at.until("the end", (snapshot) => snapshot.finished.length === 1);
    assert.deepEqual([finished[0]?.reason, ends(at).length], ["terminal", 1]);
  });
});
