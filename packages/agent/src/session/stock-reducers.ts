import type { Reducer } from "./reducer.ts";
import { append, replace } from "./slice-op.ts";

/** Keeps every event. This is what a session does when no reducer was registered. */
export function appendAll<T>(): Reducer<T, T> {
  return (_, event) => append(event);
}

/** Keeps one record per key: a newer one takes the place of the older. */
export function upsertBy<T>(keyOf: (value: T) => unknown): Reducer<T, T> {
  return (slice, event) => {
    const key = keyOf(event);
    const at = slice.all().findIndex((each) => keyOf(each) === key);
    if (at < 0) return append(event);
    const others = slice.all().map((each, index) => (index === at ? event : each));
    return replace(others.filter((each, index) => index === at || keyOf(each) !== key));
  };
}

/** Keeps the newest record alone. */
export function replaceLatest<T>(): Reducer<T, T> {
  return (_, event) => replace([event]);
}

/** Keeps one record per key, the one written last at the end. */
export function replaceLatestBy<T>(keyOf: (value: T) => unknown): Reducer<T, T> {
  return (slice, event) => {
    const key = keyOf(event);
    return replace([...slice.where((each) => keyOf(each) !== key), event]);
  };
}
