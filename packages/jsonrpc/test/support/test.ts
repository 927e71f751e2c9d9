import { test as nodeTest } from "node:test";

/** A test with a limit generous enough for a busy machine; nothing in this suite waits for a fixed time. */
export function test(name: string, run: () => void | Promise<void>): void {
  nodeTest(name, { timeout: 60_000 }, async () => {
    await run();
  });
}
