import type { ErrorObject, RequestId } from "@quire/jsonrpc";
import type { ToPage } from "@quire/protocol/gateway";

/** A frame as text. */
export function frame(content: ToPage): string {
  return JSON.stringify(content);
}

/** A JSON-RPC message of a hub as a frame. */
export function rpcFrame(hub: string, message: object): string {
  return frame({ type: "rpc", hub, message });
}

/** A failed reply as a frame. */
export function errorFrame(hub: string, id: RequestId | null, error: ErrorObject): string {
  return rpcFrame(hub, { id, error });
}
