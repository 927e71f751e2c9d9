import { SnapshotRestoreError } from "../events/session-errors.ts";
import type { Registry } from "./registry.ts";
import type { SliceStore } from "./slice-store.ts";
import type { SessionSnapshot, SnapshotSlice } from "./snapshot.ts";

/** Brings slices to the state of a snapshot. Everything is checked before anything changes. */
export function restoreInto(registry: Registry, snapshot: SessionSnapshot, includeLogs: boolean): void {
  if (includeLogs && !snapshot.includesLogs)
    throw new SnapshotRestoreError("The snapshot holds no logs: take it with snapshot({ all: true })");
  const contents = new Map<SliceStore, readonly object[]>();
  for (const slice of snapshot.slices) {
    const store = registry.find(slice.type);
    if (store === undefined) {
      const remedy = "register its type first: session.slice(Type).register(…) or seed it";
      throw new SnapshotRestoreError(`The session knows no slice "${slice.type}": ${remedy}`);
    }
    contents.set(store, recordsOf(slice, store));
  }
  for (const store of registry.stores) {
    if (store.policy === "log" && !includeLogs) continue;
    store.apply({ op: "replace", values: contents.get(store) ?? [] });
  }
}

function recordsOf({ type, items }: SnapshotSlice, store: SliceStore): readonly object[] {
  try {
    return items.map((item) => store.type.make(item));
  } catch (cause) {
    throw new SnapshotRestoreError(`The snapshot's "${type}" does not fit: ${(cause as Error).message}`, { cause });
  }
}
