import type { RequestId } from "@quire/jsonrpc";

/** A classified text from the wire. */
export type Parsed =
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "response"; readonly id: RequestId; readonly result: unknown; readonly error: unknown }
  | { readonly kind: "junk" };

/** Tells requests, notifications and responses apart; whatever is none of them is junk. */
export function parseWire(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "junk" };
  }
  if (typeof value !== "object" || value === null) return { kind: "junk" };
  const { id, method, params, result, error } = value as Record<string, unknown>;
  const hasId = typeof id === "number" || typeof id === "string";
  if (typeof method === "string")
    return hasId ? { kind: "request", id, method, params } : { kind: "notification", method, params };
  return hasId && (result !== undefined || error !== undefined)
    ? { kind: "response", id, result, error }
    : { kind: "junk" };
}

/** Keeps `1` and `"1"` apart. */
export function idKey(id: RequestId): string {
  return JSON.stringify(id);
}

/** The same message under another id. */
export function withId(text: string, id: RequestId): string {
  return JSON.stringify({ ...(JSON.parse(text) as object), id });
}
