import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { again, place } from "../support/place.ts";

describe("two orchestrators on one tracker", () => {
  test("by a copied workflow, the second is refused until the first has ended", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    tracker.scope = "shared";
    await using at = await place(tracker, { behaviour: "hang" });
    await at.orchestrator.start();
    const workflow = join(at.path, "COPY.md");
    copyFileSync(at.workflow, workflow);
    const second = () => again(at, tracker, { workflow, stateFile: join(at.path, "copy.sqlite") });
    assert.throws(second, { code: "tracker_taken", message: /Another orchestrator works on these issues \(shared\)/ });
    await at.orchestrator.shutDown();
    await using next = second();
    await next.start();
  });

  test("by a change of the workflow, the second keeps the tracker that it has", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    tracker.scope = "one";
    await using at = await place(tracker, { behaviour: "hang" });
    await at.orchestrator.start();
    const other = new MemoryTracker(issueOf("B"));
    other.scope = "two";
    const workflow = join(at.path, "COPY.md");
    copyFileSync(at.workflow, workflow);
    await using second = again(at, other, { workflow, stateFile: join(at.path, "copy.sqlite") });
    await second.start();
    tracker.scope = "two";
    writeFileSync(at.workflow, `${readFileSync(at.workflow, "utf8")}More.\n`);
    const { health } = await at.until("the error", ({ health }) => health.workflowError !== null);
    assert.equal(health.workflowError?.code, "tracker_taken");
  });
});
