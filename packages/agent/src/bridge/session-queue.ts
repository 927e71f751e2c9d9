import type { Session } from "../session/session.ts";

const last = new WeakMap<Session, Promise<unknown>>();

/**
 * Runs tasks of one session one after the other: snapshots that overlap would undo each other's work. The queue is as long
 * as there are calls that the server waits for. A task begins also when one before it failed.
 */
export function inTurn<T>(session: Session, task: () => Promise<T>): Promise<T> {
  const before = last.get(session) ?? Promise.resolve();
  const result = before.then(task);
  last.set(
    session,
    result.then(
      () => undefined,
      () => undefined,
    ),
  );
  return result;
}
