import type { ErrorObject } from "@quire/jsonrpc";

/** Result of a request. */
export type Outcome = { readonly result: unknown } | { readonly error: ErrorObject };
