export type { AcceptedConnection, Acceptor, ConnectionKind, Listener } from "./acceptor.ts";
export type { AuthOptions } from "./auth/auth-options.ts";
export { type ListenOptions, listen } from "./listen.ts";
export { ListenError } from "./listen-error.ts";
