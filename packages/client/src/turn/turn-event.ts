import type { NotificationMessage } from "@quire/jsonrpc";
import type { ServerNotifications } from "@quire/protocol";

/** Notifications that belong to one turn: those whose params name it. */
export type TurnMethod = {
  [M in keyof ServerNotifications]: ServerNotifications[M] extends { turnId: string } | { turn: { id: string } }
    ? M
    : never;
}[keyof ServerNotifications];

/** `item/agentMessage/delta` reads as `agentMessage.delta`, `item/completed` as `item.completed`. */
type EventName<M extends string> = M extends `item/${infer Kind}/${infer Rest}` ? Dotted<`${Kind}/${Rest}`> : Dotted<M>;

type Dotted<S extends string> = S extends `${infer Head}/${infer Rest}` ? `${Head}.${Dotted<Rest>}` : S;

/**
 * Something that happened in a turn: a notification of the server under a short name, its params beside `type`.
 * `lagged` stands for events that this consumer was too slow to see; the result of the turn is complete all the same.
 */
export type TurnEvent =
  | { [M in TurnMethod]: { readonly type: EventName<M> } & ServerNotifications[M] }[TurnMethod]
  | { readonly type: "lagged"; readonly missed: number };

const names = new Map<string, string>();

/** The short name of a notification. */
function eventName(method: string): string {
  let name = names.get(method);
  if (name === undefined) {
    name = method.replace(/^item\/(?=[^/]+\/)/, "").replaceAll("/", ".");
    names.set(method, name);
  }
  return name;
}

/** The event of a notification. */
export function toEvent(message: NotificationMessage): TurnEvent {
  return { type: eventName(message.method), ...(message.params as object) } as TurnEvent;
}
