import assert from "node:assert/strict";
import process from "node:process";
import { test as nodeTest } from "node:test";
import { eventually } from "@quire/testkit";

const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));
const processWarnings: Error[] = [];
process.on("warning", (warning) => processWarnings.push(warning));

/**
 * A test that also fails when it leaves a timer, a socket or a process behind, when a rejection goes unhandled, or when
 * the runtime warns of a leak. The limit is for a machine with other things to do; no test waits for a fixed time.
 */
export function test(name: string, run: () => void | Promise<void>): void {
  nodeTest(name, { timeout: 120_000 }, async () => {
    const before = handles();
    unhandled.length = 0;
    processWarnings.length = 0;
    await run();
    await assertNothingLeft(before);
    assert.deepEqual(unhandled, [], "a rejection was not handled");
    assert.deepEqual(processWarnings, [], "the runtime warned");
  });
}

/** One turn of the event loop, in which queued deliveries arrive. */
export function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The error that a promise rejects with. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return assert.fail("should have rejected");
}

const watched: readonly string[] = ["Timeout", "ProcessWrap", "TCPSocketWrap", "TCPServerWrap", "PipeWrap", "Pipe"];

/** What keeps the process alive, as far as the runtime tells; Bun tells nothing. */
function handles(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => watched.includes(kind))
    .sort();
}

/** Handles are closed a little later than they are released, so this waits; fewer than before is fine. */
async function assertNothingLeft(before: readonly string[]): Promise<void> {
  await eventually(
    () => {
      const left = handles();
      for (const kind of before) {
        const at = left.indexOf(kind);
        if (at >= 0) left.splice(at, 1);
      }
      assert.deepEqual(left, []);
      return true;
    },
    { what: "all timers, sockets and processes to be gone", intervalMs: 1 },
  );
}
