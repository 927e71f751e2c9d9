/** Params and result of a request. */
export interface RequestType {
  readonly params: unknown;
  readonly result: unknown;
}

/** Methods that one side offers to the other. As a type parameter, it types every call. */
export interface MethodTable {
  /** Requests by method name. */
  readonly requests: { readonly [method: string]: RequestType };
  /** Params of notifications by method name. */
  readonly notifications: { readonly [method: string]: unknown };
}

/** A table that allows any method, for a peer whose methods are not known. */
export interface AnyMethods extends MethodTable {
  readonly requests: { readonly [method: string]: { readonly params: unknown; readonly result: unknown } };
  readonly notifications: { readonly [method: string]: unknown };
}

/** Names of the requests in a table. */
export type RequestMethod<T extends MethodTable> = keyof T["requests"] & string;
/** Names of the notifications in a table. */
export type NotificationMethod<T extends MethodTable> = keyof T["notifications"] & string;
/** Params of one request. */
export type ParamsOf<T extends MethodTable, M extends RequestMethod<T>> = T["requests"][M]["params"];
/** Result of one request. */
export type ResultOf<T extends MethodTable, M extends RequestMethod<T>> = T["requests"][M]["result"];
