/**
 * Resolves when it is time to stop in good order: at the first signal, or, where there is something to wait for, when that
 * is done or a second signal comes. One more leaves at once.
 */
export function stopSignal(before: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    let stopping = false;
    const stop = () => {
      stopping = true;
      resolve();
    };
    for (const [signal, code] of [
      ["SIGTERM", 143],
      ["SIGINT", 130],
      ["SIGHUP", 129],
    ] as const) {
      process.on(signal, () => {
        if (stopping) process.exit(code);
        if (asked) stop();
        else void before().then(stop);
        asked = true;
      });
    }
  });
}
