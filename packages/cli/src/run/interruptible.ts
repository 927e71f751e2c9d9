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
  const left = Promise.withResolvers<number>();
  let asked = 0;
  const stop = (code: number) => {
    asked++;
    if (asked === 1) {
      process.stderr.write("\ninterrupting; press Ctrl-C again to leave at once\n");
      void turn.interrupt().catch(() => undefined);
    } else if (asked === 2) left.resolve(code);
    else process.exit(code);
  };
  const onInterrupt = () => stop(130);
  const onTerminate = () => stop(143);
  process.on("SIGINT", onInterrupt).on("SIGTERM", onTerminate);
  process.stdout.on("error", onTerminate);
  // Once left, nobody hears how the turn fails while it is torn down.
  const code = await Promise.race([follow(), left.promise]);
  if (asked < 2) return code;
  await Promise.race([held[Symbol.asyncDispose](), Bun.sleep(closeMs)]);
  process.exit(code);
}
