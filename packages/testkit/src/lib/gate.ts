/** Something to wait on that the test opens when it likes. */
export interface Gate extends PromiseLike<void> {
  /** Lets everybody through who waits now or comes later. Idempotent. */
  open(): void;
  /** True once {@link Gate.open} was called. */
  readonly isOpen: boolean;
}

/**
 * Makes a closed {@link Gate}, to hold a reply, a turn or a transport until the test has looked at what it came for:
 *
 * ```ts
 * const hold = gate();
 * mock.script(reply().text(["first half, ", hold, "second half"]));
 * // … the turn is running now, whatever the speed of the machine …
 * hold.open();
 * ```
 */
export function gate(): Gate {
  let release: () => void = () => {};
  let isOpen = false;
  const opened = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    // biome-ignore lint/suspicious/noThenProperty: a gate is awaited, that is its purpose
    then: (onOpen, onError) => opened.then(onOpen, onError),
    open() {
      isOpen = true;
      release();
    },
    get isOpen() {
      return isOpen;
    },
  };
}
