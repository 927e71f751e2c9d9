export { backoffCeilingMs, backoffMs, delay } from "../lib/backoff.ts";
export { failureMessage } from "../lib/failure-message.ts";
export { untilAborted } from "../lib/until-aborted.ts";
export { handshake, type Introduction } from "./handshake.ts";
export { locateServer } from "./locate-server.ts";
export { explainMissingMethod } from "./missing-method.ts";
export { maxUnsentBytes } from "./server-link.ts";
