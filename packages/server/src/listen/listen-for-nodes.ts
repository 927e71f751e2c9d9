import { randomBytes } from "node:crypto";
import type { Acceptor, Listener } from "./acceptor.ts";
import { capabilityToken, digest } from "./auth/capability-token.ts";
import { parseListenAddress } from "./listen-address.ts";
import { ListenError } from "./listen-error.ts";
import { listenWebSocket } from "./websocket.ts";

/** A listener for the other servers of a database, and the token that they show. */
export interface NodeListener {
  readonly listener: Listener;
  readonly token: string;
}

/** Serves other servers on `IP:PORT`; with port 0 on a free one. The token is new each time. */
export function listenForNodes(acceptor: Acceptor, address: string): NodeListener {
  const at = parseListenAddress(`ws://${address}`);
  if (at.kind !== "websocket") throw new ListenError(`store.listen is ${JSON.stringify(address)}; give IP:PORT`);
  const token = randomBytes(32).toString("base64url");
  return { listener: listenWebSocket(acceptor, { at, authenticator: capabilityToken(digest(token)) }), token };
}
