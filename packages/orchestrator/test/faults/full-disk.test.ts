import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { eventually } from "@quire/testkit";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { again, place } from "../support/place.ts";
import { smallDisk } from "../support/small-disk.ts";

describe("a disk on which nothing can be made", () => {
  test("a full disk fails the run with its reason, and it is tried again until there is room", async (t) => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "hang" });
    await using full = await smallDisk(join(at.path, "full"));
    if (!full) return t.skip("mounting a small file system is not permitted here");
    at.write(readFileSync(at.workflow, "utf8").replace(`root: ${at.root}`, `root: ${full.path}`));
    await at.orchestrator.start();
    const { retrying } = await at.until("the failure", (snapshot) => snapshot.retrying.length === 1);
    assert.match(
      retrying[0]?.error ?? "",
      /^workspace_create_failed: The workspace .* could not be created: the disk is full/,
    );
    assert.equal(at.orchestrator.issue("A")?.lastError?.code, "workspace_create_failed");
    full.grow();
    at.clock.advance(10_000);
    await at.until("the run", ({ running: [run] }) => run?.phase === "StreamingTurn");
    await at.orchestrator.shutDown();
  });

  test("with a full disk under its state nothing new begins, what runs goes on, and with room it goes on by itself", async (t) => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "wait" });
    await using disk = await smallDisk(join(at.path, "disk"), "size=512k");
    if (!disk) return t.skip("mounting a small file system is not permitted here");
    await using next = again(at, tracker, { stateFile: join(disk.path, "state.sqlite") });
    const log: string[] = [];
    next.subscribe((event) => void (event.type === "log" && log.push(event.message)));
    await next.start();
    await eventually(() => next.snapshot().running[0]?.turnId != null, { timeoutMs: 30_000 });
    assert.throws(() => writeFileSync(join(disk.path, "filler"), new Uint8Array(600_000)), /ENOSPC/);
    tracker.issues.set("id-B", issueOf("B"));
    next.refresh();
    await eventually(() => next.snapshot().health.trackerError !== null);
    const { code, message } = next.snapshot().health.trackerError ?? { code: "", message: "" };
    assert.equal(code, "state_not_written");
    assert.match(message, /state\.sqlite cannot be written: the disk is full: free some space$/);
    writeFileSync(join(at.root, "A", "go"), "");
    await eventually(() => next.snapshot().running.length === 0, { timeoutMs: 30_000 });
    assert.ok(log.some((line) => /^could not save the end of the run: .*the disk is full/.test(line)));
    rmSync(join(disk.path, "filler"));
    at.clock.advance(30_000);
    await eventually(() => next.snapshot().running[0]?.identifier === "B", { timeoutMs: 30_000 });
    assert.equal(next.snapshot().health.trackerError, null);
    await next.shutDown();
  });

  test("issues that wait while nothing can be written are tried less and less often, and it is told once", async (t) => {
    const tracker = new MemoryTracker(issueOf("A"), issueOf("B"));
    await using at = await place(tracker, { behaviour: "fail" });
    await using disk = await smallDisk(join(at.path, "disk"), "size=512k");
    if (!disk) return t.skip("mounting a small file system is not permitted here");
    await using next = again(at, tracker, { stateFile: join(disk.path, "state.sqlite") });
    const log: string[] = [];
    next.subscribe((event) => void (event.type === "log" && event.level === "error" && log.push(event.message)));
    await next.start();
    await eventually(() => next.snapshot().retrying.length === 2, { timeoutMs: 30_000 });
    assert.throws(() => writeFileSync(join(disk.path, "filler"), new Uint8Array(600_000)), /ENOSPC/);
    const asked = () => tracker.calls.filter(({ method }) => method === "ids").length;
    const before = asked();
    for (let second = 0; second < 600; second++) {
      at.clock.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(asked() - before < 20, `${asked() - before} requests in a minute`);
    assert.equal(log.filter((line) => line.startsWith("could not save what becomes")).length, 1, log.join("\n"));
    rmSync(join(disk.path, "filler"));
    await next.shutDown();
  });

  test("a folder that cannot be made fails the run with its reason, and it is tried again", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker);
    writeFileSync(join(at.path, "no-folder"), "");
    at.write(
      readFileSync(at.workflow, "utf8").replace(`root: ${at.root}`, `root: ${join(at.path, "no-folder", "ws")}`),
    );
    await at.orchestrator.start();
    const { retrying } = await at.until("the failure", (snapshot) => snapshot.retrying.length === 1);
    assert.match(retrying[0]?.error ?? "", /^workspace_create_failed: The workspace .* could not be created/);
    assert.ok(!existsSync(join(at.root, "A")));
  });
});
