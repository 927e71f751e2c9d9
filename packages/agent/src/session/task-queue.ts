/**
 * Runs tasks one after the other: snapshots that overlap would undo each other's work. The queue is as long as there are
 * calls that the server waits for. A task begins also when one before it failed.
 */
export class TaskQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
