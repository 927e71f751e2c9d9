import type { Orchestrator } from "@quire/orchestrator";

/** Time that the progress display has to close. */
const closeMs = 1000;

/**
 * Runs the work. The first Ctrl-C (or SIGTERM) lets runs end with their turn, a second one ends them at once, a third
 * one kills. Nobody reading stdout any more counts as the first.
 */
export async function runUntilStopped(orchestrator: Orchestrator, work: () => Promise<number>): Promise<number> {
  const left = Promise.withResolvers<number>();
  let asked = 0;
  const end = (code: number) => {
    asked++;
    if (asked === 1) {
      process.stderr.write("\nfinishing running turns; press Ctrl-C again to stop now\n");
      orchestrator.drain();
    } else if (asked === 2) left.resolve(code);
    else {
      orchestrator.kill();
      process.exit(code);
    }
  };
  process.on("SIGINT", () => end(130)).on("SIGTERM", () => end(143));
  process.on("SIGHUP", () => end(129));
  process.stdout.on("error", () => asked === 0 && end(141));
  const working = work();
  working.catch(() => undefined);
  try {
    return await Promise.race([working, left.promise]);
  } finally {
    await orchestrator.shutDown();
    // The terminal is given back, and streams end.
    await Promise.race([working.catch(() => undefined), Bun.sleep(closeMs)]);
  }
}
