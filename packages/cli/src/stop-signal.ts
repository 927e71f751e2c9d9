/** The first signal stops in good order, a second one at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const [signal, code] of [
      ["SIGTERM", 143],
      ["SIGINT", 130],
      ["SIGHUP", 129],
    ] as const) {
      process.on(signal, () => {
        if (asked) process.exit(code);
        asked = true;
        resolve();
      });
    }
  });
}
