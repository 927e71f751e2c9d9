import assert from "node:assert/strict";
import { ConnectionError, RpcError } from "@quire/jsonrpc";

/** A promise and its resolver. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
}

/** A promise to be resolved from outside. */
export function deferred<T = void>(): Deferred<T> {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** One turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Waits for a condition without assuming how long it takes; the test's own limit is the only clock. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Whether a promise is still unsettled after what is already queued has run. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const mark = () => {
    settled = true;
  };
  void promise.then(mark, mark);
  for (let turns = 0; turns < 5; turns++) await turn();
  return !settled;
}

/** The error that a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return assert.fail("should have rejected");
}

/** The ConnectionError that a promise rejects with. */
export async function connectionError(promise: Promise<unknown>): Promise<ConnectionError> {
  const error = await rejection(promise);
  assert.ok(ConnectionError.is(error), String(error));
  return error;
}

/** The RpcError that a promise rejects with. */
export async function rpcError(promise: Promise<unknown>): Promise<RpcError> {
  const error = await rejection(promise);
  assert.ok(RpcError.is(error), String(error));
  return error;
}
