/**
 * Order of requests: those with the same value of the param `by`, or all that act on one shared thing, run as they
 * came. A request whose scope ends at `started` answers late (a running command, a tool call); the next one in its
 * scope may run as soon as it has started.
 */
export type Scope =
  | { readonly by: string; readonly until?: "started" }
  | { readonly shared: string; readonly until?: "started" };

/** Properties of a method. */
export interface MethodRow {
  /** Sender of the method. */
  readonly from: "client" | "server";
  /** A request expects a reply, a notification does not. */
  readonly kind: "request" | "notification";
  /** Name of the params type; `null` where the method takes none. */
  readonly params: string | null;
  /** Present where the params may be left out or `null`. */
  readonly optional?: true;
  /** Name of the result type; `null` for a notification. */
  readonly result: string | null;
  /** Experimental methods need the `experimentalApi` capability in `initialize`. */
  readonly stability: "stable" | "experimental";
  /** Params of a stable method that need it too: `a.b`, `list[].c`, `map{}.d`, or `kind=x` for one form of a union. */
  readonly experimentalFields?: readonly string[];
  /** The oldest observed Codex version that has it without a later gap. */
  readonly since: string;
  /** Order of requests; `null` if it does not matter. */
  readonly scope: Scope | null;
}
