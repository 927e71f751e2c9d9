import { isNestedDeeper } from "@quire/jsonrpc";
import type { ToGateway } from "@quire/protocol/gateway";

/** A page's frame, or `undefined` for what is none. */
export function readFrame(data: string | Uint8Array): ToGateway | undefined {
  if (typeof data !== "string" || isNestedDeeper(data)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { type, hub, id, address } = value as Readonly<Record<string, unknown>>;
  const isFrame =
    (type === "rpc" && typeof hub === "string" && "message" in value) ||
    (type === "addHub" && typeof address === "string") ||
    ((type === "removeHub" || type === "reconnectHub") && typeof id === "string");
  return isFrame ? (value as ToGateway) : undefined;
}
