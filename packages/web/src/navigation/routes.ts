import { useSyncExternalStore } from "react";
import type { ThreadKey } from "../state/model.ts";

/** A view of the page, as its address names it. */
export type Route =
  | { readonly page: "new"; readonly hub: string | null; readonly cwd: string | null }
  | {
      readonly page: "thread";
      readonly key: ThreadKey;
      /** The item to be shown. */
      readonly item?: string;
    }
  | { readonly page: "orchestrator" };

/** Reads an address's fragment. What it does not know leads to a new thread. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [page, hub, thread, item] = path.split("/").map(decode);
  if (page === "thread" && hub !== undefined && hub !== "" && thread !== undefined && thread !== "") {
    return { page: "thread", key: { hub, thread }, ...(item !== undefined && item !== "" && { item }) };
  }
  if (page === "orchestrator") return { page: "orchestrator" };
  const cwd = new URLSearchParams(query).get("cwd");
  return { page: "new", hub: page === "new" && hub !== undefined && hub !== "" ? hub : null, cwd };
}

/** The address of a thread. */
export function threadHref({ hub, thread }: ThreadKey): string {
  return `#/thread/${encodeURIComponent(hub)}/${encodeURIComponent(thread)}`;
}

/** The address of an item of a thread: a message, a command. */
export function itemHref(key: ThreadKey, item: string): string {
  return `${threadHref(key)}/${encodeURIComponent(item)}`;
}

/** The address where a thread is begun, on a hub and in a folder where they are given. */
export function newHref(hub: string | null = null, cwd: string | null = null): string {
  const query = cwd === null ? "" : `?${new URLSearchParams({ cwd }).toString()}`;
  return `#/new${hub === null ? "" : `/${encodeURIComponent(hub)}`}${query}`;
}

/** Goes to an address of this page. */
export function navigate(href: string): void {
  location.hash = href;
}

let last: { readonly hash: string; readonly route: Route } | null = null;

/** The route of now; the same object until the address changes. */
function currentRoute(): Route {
  if (last?.hash !== location.hash) last = { hash: location.hash, route: parseRoute(location.hash) };
  return last.route;
}

/** The route, for a component. */
export function useRoute(): Route {
  return useSyncExternalStore(subscribe, currentRoute);
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
