import { AgentError } from "../lib/agent-error.ts";

/** A text in a {@link Store}, and the version under which it lies there. */
export interface StoredText {
  readonly text: string;
  /** Stands for this content: it changes with every write and never comes back. */
  readonly version: string;
}

/** Options of {@link Store.write}. */
export interface WriteOptions {
  /** Writes only over this version, or with null only where there is nothing. Default: over anything. */
  readonly expected?: string | null | undefined;
}

/** Keeps texts by key. Write your own for another database: four functions. */
export interface Store {
  /** The text of a key; undefined where there is none. */
  read(key: string): Promise<StoredText | undefined>;
  /** Writes a text and returns its version. Rejects with a {@link StoreConflictError} where the expected version is gone. */
  write(key: string, text: string, options?: WriteOptions): Promise<string>;
  /** Removes a key. One that does not exist is fine. */
  delete(key: string): Promise<void>;
  /** The keys that begin with a prefix, in order. */
  keys(prefix?: string): Promise<string[]>;
}

/** Somebody else has written since it was read. Read it again, and repeat the change. */
export class StoreConflictError extends AgentError {
  override readonly name: string = "StoreConflictError";
  readonly key: string;

  constructor(key: string) {
    super(`"${key}" was changed by somebody else since it was read: read it again`);
    this.key = key;
  }
}

/** The longest key, in characters. */
const mostKey = 500;

/** Throws for a key that a store cannot take. */
export function checkKey(key: string): void {
  if (typeof key !== "string" || key === "" || key.length > mostKey || /[\0\ud800-\udfff]/u.test(key))
    throw new AgentError(`A key must be a text of 1 to ${mostKey} characters`);
}

/** A version that was never used before. */
export const newVersion = (): string => crypto.randomUUID();
