import type { TurnHandle } from "@quire/client";

/** How long closing may take once the user has lost patience. */
const closeMs = 1000;

/**
 * Follows a turn. The first Ctrl-C (or SIGTERM) interrupts it and its end is shown; a second one leaves, taking along
 * what runs. Nobody reading stdout any more counts as the first.
 */
export async function interruptible(
  turn: TurnHandle<unknown>,
  follow: () => Promise<number>,
  held: AsyncDisposable,
): Promise<number> {
  let asked = 0;
  let leave: (code: number) => void = () => undefined;
  const left = new Promise<number>((resolve) => {
    leave = resolve;
  });
  const stop = (code: number) => {
    asked++;
    if (asked === 1) {
      process.stderr.write("\ninterrupting; press Ctrl-C again to leave at once\n");
      void turn.interrupt().catch(() => undefined);
      return;
    }
    if (asked > 2) process.exit(code);
    void Promise.race([held[Symbol.asyncDispose](), Bun.sleep(closeMs)]).then(() => leave(code));
  };
  const onInterrupt = () => stop(130);
  const onTerminate = () => stop(143);
  process.on("SIGINT", onInterrupt).on("SIGTERM", onTerminate);
  process.stdout.on("error", onTerminate);
  try {
    return await Promise.race([follow(), left]);
  } finally {
    process.off("SIGINT", onInterrupt).off("SIGTERM", onTerminate);
  }
}
