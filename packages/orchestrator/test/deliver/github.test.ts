import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eventually, tempDir } from "@quire/testkit";
import { fakeToken } from "../support/fake-github.ts";
import { fakeGithubPulls } from "../support/fake-github-pulls.ts";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { place } from "../support/place.ts";
import { bareRepository } from "../support/repository.ts";

const patient = { timeoutMs: 30_000 };

describe("delivery to GitHub", () => {
  test("red checks go back to the agent; green and approved, the commit that was approved is merged", async () => {
    await using dir = await tempDir();
    const origin = bareRepository(dir.path);
    await using fake = fakeGithubPulls();
    fake.shaOf = (branch) => origin.git("rev-parse", branch).trim();
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, {
      behaviour: "work",
      env: { ...process.env, HOME: dir.path, GITHUB_TOKEN: fakeToken },
      settings: {
        hooks: { after_create: `git clone -q '${origin.path}' .` },
        tracker: { active_states: ["Todo", "Rework"] },
        deliver: {
          to: "github",
          provider: { repo: "acme/app", api_url: fake.url },
          remote: origin.path,
          merge: "approved",
          method: "squash",
          states: { rework: "Rework", done: "Done" },
        },
      },
    });
    const round = async () => {
      await at.until("the end of the run", ({ retrying }) => retrying.length === 1);
      at.clock.advance(1000);
      await at.until("it to be let go", ({ finished, running }) => finished.length === 1 && running.length === 0);
    };
    const statuses = () => fake.asked.filter((line) => line.endsWith("/pulls/1/reviews")).length;
    /** Has the pull request looked at, and all done that follows from it: the second look comes after that. */
    const watched = async () => {
      for (let look = 0; look < 2; look++) {
        const before = statuses();
        await at.look();
        await eventually(() => statuses() > before, patient);
      }
    };
    await at.orchestrator.start();
    await round();
    assert.deepEqual([fake.pulls[0]?.title, fake.pulls[0]?.head.ref], ["A: Title of A", "quire/A"]);
    const first = fake.shaOf("quire/A");
    fake.reviews.push({
      id: 1,
      state: "APPROVED",
      user: { login: "ann" },
      author_association: "OWNER",
      commit_id: first,
    });
    await watched();
    assert.deepEqual(fake.merges, [], "approved, but its checks are only late");
    fake.checkRuns.push({ name: "test", head_sha: first, status: "completed", conclusion: "failure" });
    await at.look();
    await eventually(() => tracker.written.includes("A Rework"), patient);
    await round();
    const second = fake.shaOf("quire/A");
    assert.notEqual(second, first);
    const prompts = at.wire("A").flatMap(({ prompt }) => prompt ?? []);
    assert.match(prompts[1], /pull\/1 needs changes:\n\n- The check "test" failed\./);
    fake.checkRuns.push({ name: "test", head_sha: second, status: "completed", conclusion: "success" });
    await watched();
    assert.deepEqual(fake.merges, [], "the approval was of an earlier commit");
    fake.reviews.push({
      id: 2,
      state: "APPROVED",
      user: { login: "ann" },
      author_association: "OWNER",
      commit_id: second,
    });
    await at.look();
    await eventually(() => tracker.state("A") === "Done", patient);
    assert.deepEqual(fake.merges, [{ sha: second, merge_method: "squash" }]);
    assert.equal(fake.pulls.length, 1);
    assert.match(tracker.notes.get("A") ?? "", /State: merged/);
    const { delivery } = at.orchestrator.issue("A") ?? {};
    assert.deepEqual([delivery?.state, delivery?.commit, delivery?.checks], ["merged", second, "passed"]);
    assert.ok(!at.wire("A").some((line) => JSON.stringify(line).includes(fakeToken)), "the agent sees no credential");
  });
});
