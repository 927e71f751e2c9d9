import { isObject } from "./json-value.ts";

/** Finds what a local reference such as `#/$defs/Node` names; undefined where there is no such place. */
export function resolveRef(root: unknown, ref: unknown): unknown {
  if (typeof ref !== "string" || !/^#(\/|$)/.test(ref)) return undefined;
  let place: unknown = root;
  for (const part of ref.split("/").slice(1)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    const has = (isObject(place) || Array.isArray(place)) && Object.hasOwn(place, key);
    place = has ? (place as Record<string, unknown>)[key] : undefined;
  }
  return place;
}
