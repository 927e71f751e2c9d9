import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { RpcError, type ThreadHandle } from "@quire/client";
import { eventually, isWithin, reply, waitUntilStored } from "@quire/testkit";
import { sharedServer } from "./shared-server.ts";
import { onEachCodex, spawned, standsIn } from "./support.ts";

const review = JSON.stringify({
  findings: [],
  overall_correctness: "patch is correct",
  overall_explanation: "Nothing to complain about.",
  overall_confidence_score: 0.9,
});

/** Waits until so many turns are stored, which may be a little after they were told of. */
async function assertTurns(thread: ThreadHandle, expected: number): Promise<void> {
  await eventually(async () => {
    let count = 0;
    for await (const _ of thread.turns()) count++;
    assert.equal(count, expected);
    return true;
  });
}

await onEachCodex("threads", "0.98.0", (version) => {
  const server = sharedServer(version);

  test("a thread is listed, read, renamed, forked, rolled back, archived", async () => {
    const fixture = server();
    const { mock, client } = fixture;
    const thread = await client.thread();
    mock.script(reply().text("one"), reply().text("two"));
    await thread.run("first");
    await thread.run("second");
    await waitUntilStored(() => client.readThread(thread.id, true), "second");
    assert.equal((await thread.read()).preview, "first");
    await assertTurns(thread, 2);
    const items = [];
    for await (const item of thread.items()) items.push(item.type);
    assert.deepEqual(items, ["userMessage", "agentMessage", "userMessage", "agentMessage"]);

    const isListed = async () => {
      const { data } = await client.listThreads({ modelProviders: ["mock"] });
      return data.some(({ id }) => id === thread.id);
    };
    // 0.118 lists a thread some time after its turn has ended.
    await eventually(isListed);

    await thread.rename("My thread");
    const fork = await thread.fork();
    assert.notEqual(fork.id, thread.id);
    mock.script(reply().text("forked"));
    assert.equal((await fork.run("third")).agentMessage, "forked");
    assert.ok(mock.last?.inputText().includes("second"), "the fork has the history");

    await thread.rollback(1);
    await assertTurns(thread, 1);
    await thread.archive();
    await eventually(async () => !(await isListed()));
  });

  test("a stored thread is taken up by another client with its history", async () => {
    await using fixture = await spawned(version);
    const { mock, codex } = fixture;
    mock.script(reply().text("the answer is 42"));
    const thread = await fixture.client.thread();
    await thread.run("remember this");
    await waitUntilStored(() => fixture.client.readThread(thread.id, true), "remember this");
    await fixture.client.close();
    await using second = await spawned(version, {}, { home: codex.home, cwd: codex.cwd });
    const resumed = await second.client.resume(thread.id);
    assert.equal(resumed.id, thread.id);
    second.mock.script(reply().text("still 42"));
    assert.equal((await resumed.run("what was it?")).agentMessage, "still 42");
    assert.ok(second.mock.last?.inputText().includes("the answer is 42"));
  });

  test("compact resolves when the history has been shortened", async () => {
    const fixture = server();
    const { mock, client } = fixture;
    mock.script(reply().text("a long story"), reply().text("SUMMARY OF IT"), reply().text("after"));
    const thread = await client.thread();
    await thread.run("tell me");
    const { status, items } = await thread.compact();
    assert.equal(status, "completed");
    assert.deepEqual(
      items.map(({ type }) => type),
      ["contextCompaction"],
    );
    await thread.run("go on");
    assert.ok(mock.last?.inputText().includes("SUMMARY OF IT"));
  });

  test("a review of each target gives the reviewer's text", async () => {
    const fixture = server();
    const { mock, client, codex } = fixture;
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: codex.cwd });
    git("init", "-q", "-b", "main");
    writeFileSync(join(codex.cwd, "a.txt"), "one\n");
    git("add", ".");
    git("commit", "-qm", "first");
    const sha = git("rev-parse", "HEAD").toString().trim();
    writeFileSync(join(codex.cwd, "a.txt"), "two\n");
    const thread = await client.thread();
    for (const target of [
      { type: "uncommittedChanges" },
      { type: "baseBranch", branch: "main" },
      { type: "commit", sha, title: "first" },
      { type: "custom", instructions: "Look at a.txt" },
    ] as const) {
      mock.script(reply().text(review));
      const { reviewText, items, reviewThreadId, turn } = await client.runReview({ threadId: thread.id, target });
      assert.equal(reviewText, "Nothing to complain about.", target.type);
      const kinds = items.map(({ type }) => type);
      assert.ok(kinds.includes("enteredReviewMode") && kinds.includes("exitedReviewMode"), kinds.join());
      assert.equal(reviewThreadId, thread.id);
      assert.equal(turn.status, "completed");
    }
  });

  test("a detached review runs on a thread of its own, where the server has that", async () => {
    const fixture = server();
    const { mock, client } = fixture;
    const isRefused = isWithin(version, { since: "0.151.0" }) && !standsIn;
    mock.script(reply().text("hello"), ...(isRefused ? [] : [reply().text(review)]));
    const thread = await client.thread();
    await thread.run("hi");
    const run = thread.review({ target: { type: "custom", instructions: "Look" }, delivery: "detached" });
    if (isRefused) {
      await assert.rejects(run.result, (error) => RpcError.is(error) && !error.mayHaveRun);
      return;
    }
    const { reviewText, reviewThreadId } = await run;
    assert.equal(reviewText, "Nothing to complain about.");
    assert.notEqual(reviewThreadId, thread.id);
  });

  test("items can be put into the history, or the error names the version that can", async () => {
    const fixture = server();
    const { mock, client } = fixture;
    const thread = await client.thread();
    const inject = thread.inject([
      { type: "message", role: "user", content: [{ type: "input_text", text: "injected fact" }] },
    ]);
    if (isWithin(version, { until: "0.120.0" })) {
      await assert.rejects(inject, /needs Codex 0\.121\.0 or later/);
      return;
    }
    await inject;
    mock.script(reply().text("ok"));
    await thread.run("hi");
    assert.ok(mock.last?.inputText().includes("injected fact"));
  });
});
