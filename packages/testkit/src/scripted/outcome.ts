import type { ErrorObject } from "@quire/jsonrpc";

/** What came of a request. */
export type Outcome = { readonly result: unknown } | { readonly error: ErrorObject };
