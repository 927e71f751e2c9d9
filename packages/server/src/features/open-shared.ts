import type { StorePlace } from "../config/store-place.ts";
import type { ServerContext } from "../context/server-context.ts";
import { openSharedStore, type SharedStoreOptions } from "../shared-store/shared-store.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import { SharedState } from "../user-state/shared-state.ts";
import { UserState } from "../user-state/user-state.ts";

/** Threads, and what the user keeps of them. */
export interface Stored {
  readonly store: ThreadStore;
  readonly state: UserState;
  /** True for a database, in which nothing is stored at once. */
  readonly isShared: boolean;
}

/** Events of threads that other servers may have. */
export type SharedEvents = Pick<SharedStoreOptions, "onTaken" | "onDraining">;

/** Threads and what the user keeps of them, in a database. */
export function openShared(place: StorePlace, server: ServerContext, events: SharedEvents): Stored {
  const { home, log } = server;
  const store = openSharedStore({
    ...place,
    ...events,
    home,
    log,
    serve: () => server.serveNodes(place.listen),
    beforeOpen: () => state.refresh(),
  });
  const { database, folder } = store;
  const share = (local: ConstructorParameters<typeof SharedState>[0]["local"]) =>
    new SharedState({ local, database, log });
  const state: UserState = new UserState(folder, (problem) => log.warn(problem), share);
  return { store, state, isShared: true };
}
