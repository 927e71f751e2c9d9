import type {
  ClientNotifications,
  ClientRequests,
  ServerNotifications,
  ServerRequests,
} from "../generated/method-types.ts";

// `Pick` turns an interface into an object type, which alone fits the index signatures of a `MethodTable`.

/** Methods of the server, as the method table that a client's connection calls. */
export interface ServerMethods {
  readonly requests: Pick<ClientRequests, keyof ClientRequests>;
  readonly notifications: Pick<ClientNotifications, keyof ClientNotifications>;
}

/** Methods of a client, as the method table that the server's connection calls. */
export interface ClientMethods {
  readonly requests: Pick<ServerRequests, keyof ServerRequests>;
  readonly notifications: Pick<ServerNotifications, keyof ServerNotifications>;
}

/** Every notification of the server as a union that narrows by `method`. */
export type ServerNotification = {
  [M in keyof ServerNotifications]: { readonly method: M; readonly params: ServerNotifications[M] };
}[keyof ServerNotifications];

/** Every request of the server as a union that narrows by `method`. */
export type ServerRequest = {
  [M in keyof ServerRequests]: { readonly method: M; readonly params: ServerRequests[M]["params"] };
}[keyof ServerRequests];
