/** Time that closing may take after a second Ctrl+C. */
const closeMs = 1000;

/**
 * Follows a turn. The first Ctrl-C (or SIGTERM, or the end of the terminal) interrupts it and its end is shown; a second
 * one leaves, taking along what runs, and so does the first when the turn is over. Nobody reading stdout any more counts
 * as the first.
 */
export async function interruptible(
  turn: { interrupt(): Promise<unknown> },
  follow: () => Promise<number>,
  held: AsyncDisposable,
): Promise<number> {
  const left = Promise.withResolvers<number>();
  let leaving: Promise<never> | undefined;
  let asked = 0;
  let isOver = false;
  const interrupt = () => {
    asked++;
    process.stderr.write("\ninterrupting; press Ctrl-C again to exit now\n");
    void turn.interrupt().catch(() => undefined);
  };
  const stop = (code: number) => {
    if (leaving) process.exit(code);
    if (asked === 0 && !isOver) interrupt();
    else {
      leaving = leave(held, code);
      left.resolve(code);
    }
  };
  process
    .on("SIGINT", () => stop(130))
    .on("SIGTERM", () => stop(143))
    .on("SIGHUP", () => stop(129));
  process.stdout.on("error", () => {
    if (asked === 0 && !isOver) interrupt();
  });
  try {
    // Once left, nobody hears how the turn fails while it is torn down.
    const code = await Promise.race([follow(), left.promise]);
    return leaving ? await leaving : code;
  } finally {
    isOver = true;
  }
}

async function leave(held: AsyncDisposable, code: number): Promise<never> {
  await Promise.race([held[Symbol.asyncDispose](), Bun.sleep(closeMs)]);
  process.exit(code);
}
