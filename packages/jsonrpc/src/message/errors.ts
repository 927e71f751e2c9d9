import type { ErrorObject } from "./message.ts";

/** Failures on this side of the wire. */
export type ConnectionErrorCode =
  | "closed"
  | "timeout"
  | "overloaded"
  | "invalid-message"
  | "not-initialized"
  | "spawn-failed";

/** Facts about a {@link ConnectionError} beyond its message. */
export interface ConnectionErrorOptions extends ErrorOptions {
  /** The peer may have carried out the call. `false` means that a retry is safe. */
  readonly mayHaveRun?: boolean;
  /** Exit code of the child process, where one ended. */
  readonly exitCode?: number | null;
  /** Signal that ended the child process. */
  readonly signal?: string | null;
  /** The last of what the child wrote to stderr. */
  readonly stderr?: string;
}

// Brands survive two copies of this package in one program, where `instanceof` does not.
const rpcBrand = Symbol.for("@quire/jsonrpc/RpcError");
const connectionBrand = Symbol.for("@quire/jsonrpc/ConnectionError");

const isBranded = (value: unknown, brand: symbol): boolean =>
  typeof value === "object" && value !== null && brand in value;

/** The peer answered with an error. Thrown by a handler, it is the error that the peer gets. */
export class RpcError extends Error {
  override readonly name: string = "RpcError";
  /** The numeric JSON-RPC code. */
  readonly code: number;
  /** Data that the peer attached. */
  readonly data: unknown;
  /** The peer may have carried out the call before it failed. */
  readonly mayHaveRun: boolean;

  constructor(error: ErrorObject, options?: ErrorOptions & { readonly mayHaveRun?: boolean }) {
    super(error.message, options);
    this.code = error.code;
    this.data = error.data;
    this.mayHaveRun = options?.mayHaveRun ?? !refusedBeforeRunning.has(error.code);
    Object.defineProperty(this, rpcBrand, { value: true });
  }

  /** Tells an RpcError, also one made by another copy of this package. */
  static is(value: unknown): value is RpcError {
    return isBranded(value, rpcBrand);
  }

  /** The form that travels. */
  toErrorObject(): ErrorObject {
    return this.data === undefined
      ? { code: this.code, message: this.message }
      : { code: this.code, message: this.message, data: this.data };
  }
}

/** Codes with which a peer says that it did not begin: unreadable, unknown, badly shaped, too busy. */
const refusedBeforeRunning: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32001]);

/** The connection itself failed; the peer did not answer. */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";
  /** Kind of failure. */
  readonly code: ConnectionErrorCode;
  /** The peer may have carried out the call. `false` means that a retry is safe. */
  readonly mayHaveRun: boolean;
  /** Exit code of the child process, where one ended. */
  readonly exitCode: number | null;
  /** Signal that ended the child process. */
  readonly signal: string | null;
  /** The last of what the child wrote to stderr. */
  readonly stderr: string;

  constructor(code: ConnectionErrorCode, message: string, options: ConnectionErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.mayHaveRun = options.mayHaveRun ?? false;
    this.exitCode = options.exitCode ?? null;
    this.signal = options.signal ?? null;
    this.stderr = options.stderr ?? "";
    Object.defineProperty(this, connectionBrand, { value: true });
  }

  /** Tells a ConnectionError, also one made by another copy of this package. */
  static is(value: unknown): value is ConnectionError {
    return isBranded(value, connectionBrand);
  }
}
