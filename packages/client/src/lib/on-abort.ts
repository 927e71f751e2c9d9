interface Watch {
  readonly listeners: Set<() => void>;
  readonly fire: () => void;
}

/** A single listener for each signal: tasks share signals, and Node takes eleven listeners for a leak. */
const watches = new WeakMap<AbortSignal, Watch>();

/** Calls the listener when the signal is aborted, not if it is already; the returned function takes that back. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const watch = watches.get(signal) ?? begin(signal);
  // An entry of its own, so that a function that listens twice is taken off once each.
  const entry = () => listener();
  watch.listeners.add(entry);
  return () => {
    watch.listeners.delete(entry);
    if (watch.listeners.size === 0 && watches.get(signal) === watch) end(signal, watch);
  };
}

function begin(signal: AbortSignal): Watch {
  const listeners = new Set<() => void>();
  const fire = () => {
    end(signal, watch);
    for (const listener of listeners) listener();
  };
  const watch: Watch = { listeners, fire };
  watches.set(signal, watch);
  signal.addEventListener("abort", fire);
  return watch;
}

function end(signal: AbortSignal, { fire }: Watch): void {
  watches.delete(signal);
  signal.removeEventListener("abort", fire);
}
