/** A signal that follows others, until it is released. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** It follows them no longer. */
  release(): void;
}

/**
 * A signal that is aborted with the first of these. Not by `AbortSignal.any`: on Node that costs, for each call of a tool,
 * as much as the rest of the call, since nobody tells it when it is not needed any more.
 */
export function joinedSignal(signals: readonly AbortSignal[]): JoinedSignal {
  const [first, ...others] = signals;
  if (first !== undefined && others.length === 0) return { signal: first, release: () => undefined };
  const joined = new AbortController();
  const listeners = signals.map((signal) => {
    const listener = () => joined.abort(signal.reason);
    if (signal.aborted) listener();
    else signal.addEventListener("abort", listener);
    return () => signal.removeEventListener("abort", listener);
  });
  return {
    signal: joined.signal,
    release: () => {
      for (const remove of listeners) remove();
    },
  };
}
