import { Session, type SessionOptions } from "../session/session.ts";
import { SessionSnapshot } from "../session/snapshot.ts";
import { TaskQueue } from "../session/task-queue.ts";
import type { Store } from "./store.ts";

/** Options of {@link openSession}. */
export interface OpenSessionOptions extends Omit<SessionOptions, "id"> {
  /** Prepares the session before it is restored: install the slices of your own here. */
  readonly setup?: ((session: Session) => void) | undefined;
  /** Keeps the logs of prompts and tools as well, which grow. Default false. */
  readonly logs?: boolean | undefined;
}

/** A session of a store. */
export interface StoredSession {
  readonly session: Session;
  /** True if the store had none under this key. */
  readonly isNew: boolean;
  /**
   * Writes the session as it is now. Rejects with a `StoreConflictError`, and writes nothing, if somebody else saved it since
   * it was opened or saved here.
   */
  save(): Promise<void>;
}

/**
 * Opens the session that a store has under a key, or a new one:
 *
 * ```ts
 * const { session, save } = await openSession(fileStore("./sessions"), "customer-7", { setup: (own) => own.install(plan) });
 * await agent.evaluate(bound, { session });
 * await save();
 * ```
 *
 * With the agent's `reuseThread` the next evaluation continues the thread, also in another process.
 */
export async function openSession(
  store: Store,
  key: string,
  { setup, logs = false, ...options }: OpenSessionOptions = {},
): Promise<StoredSession> {
  const stored = await store.read(key);
  const snapshot = stored && SessionSnapshot.parse(stored.text);
  const session = new Session({ ...options, id: snapshot?.sessionId });
  setup?.(session);
  if (snapshot) session.restore(snapshot, { includeLogs: logs && snapshot.includesLogs });
  let version = stored?.version ?? null;
  const saves = new TaskQueue();
  return {
    session,
    isNew: snapshot === undefined,
    // One after the other, each over the one before.
    save: () =>
      saves.run(async () => {
        const text = JSON.stringify(session.snapshot({ all: logs }));
        version = await store.write(key, text, { expected: version });
      }),
  };
}
