import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eventually, tempDir } from "@quire/testkit";
import { fakeGitlab, gitlabToken } from "../support/fake-gitlab.ts";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { place } from "../support/place.ts";
import { bareRepository } from "../support/repository.ts";

const patient = { timeoutMs: 30_000 };

describe("delivery to GitLab", () => {
  test("a failed job goes back to the same thread; green and approved, the commit that was approved is merged", async () => {
    await using dir = await tempDir();
    const origin = bareRepository(dir.path);
    await using fake = fakeGitlab();
    fake.members.set(1, 40);
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, {
      behaviour: "work",
      env: { ...process.env, HOME: dir.path, GITLAB_TOKEN: gitlabToken },
      settings: {
        hooks: { after_create: `git clone -q '${origin.path}' .` },
        tracker: { active_states: ["Todo", "Rework"] },
        deliver: {
          to: "gitlab",
          provider: { project: "acme/tools/app", url: fake.url },
          remote: origin.path,
          merge: "approved",
          states: { rework: "Rework", done: "Done" },
        },
      },
    });
    const round = async () => {
      await at.until("the end of the run", ({ retrying }) => retrying.length === 1);
      at.clock.advance(1000);
      await at.until("it to be let go", ({ finished, running }) => finished.length === 1 && running.length === 0);
    };
    /** Has the pipeline of what is pushed end so; gives the commit. */
    const pipeline = (status: string) => {
      const sha = origin.git("rev-parse", "quire/A").trim();
      Object.assign(fake.requests[0] ?? {}, { sha, head_pipeline: { id: 5, sha, status } });
      return sha;
    };
    await at.orchestrator.start();
    await round();
    assert.deepEqual([fake.requests[0]?.title, fake.requests[0]?.source_branch], ["A: Title of A", "quire/A"]);
    fake.failedJobs.push({ name: "unit", web_url: "https://ci.example/2" });
    const first = pipeline("failed");
    await at.look();
    await eventually(() => tracker.written.includes("A Rework"), patient);
    await round();
    const prompts = at.wire("A").flatMap(({ prompt }) => prompt ?? []);
    assert.match(prompts[1], /merge_requests\/1 needs changes:\n\n- The job "unit" failed\./);
    assert.equal(at.wire("A").find(({ method }) => method === "thread/resume")?.params.threadId, "thread-1");
    const second = pipeline("success");
    assert.notEqual(second, first);
    fake.approvedBy.push({ user: { id: 1 } });
    fake.notes.push({ id: 9, system: true, body: "approved this merge request", author: { id: 1 } });
    await at.look();
    await eventually(() => tracker.state("A") === "Done", patient);
    assert.deepEqual(fake.merges, [{ sha: second, squash: false }]);
    assert.equal(fake.requests.length, 1);
    assert.match(tracker.notes.get("A") ?? "", /State: merged/);
    assert.ok(!at.wire("A").some((line) => JSON.stringify(line).includes(gitlabToken)), "the agent sees no credential");
  });
});
