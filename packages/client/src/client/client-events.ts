import type { NotificationMessage } from "@quire/jsonrpc";
import type { ServerNotifications, Thread, ThreadItem, Turn, TurnPlanStep } from "@quire/protocol";
import type { ClientState } from "../link/link-options.ts";
import type { ClientWarning } from "../port/client-warning.ts";

/** The events of a client. */
export interface ClientEvents {
  /** A turn has begun. */
  "turn:started": [turn: Turn];
  /** A turn has ended, however it ended. */
  "turn:completed": [turn: Turn];
  /** An item has begun. */
  "item:started": [item: ThreadItem];
  /** An item is complete. */
  "item:completed": [item: ThreadItem];
  /** A piece of what the agent says. */
  "item:agentMessage:delta": [delta: { itemId: string; text: string }];
  /** A piece of what a command prints. */
  "item:commandExecution:outputDelta": [delta: { itemId: string; output: string }];
  /** The diff of a turn so far. */
  "turn:diff:updated": [data: { threadId: string; turnId: string; diff: string }];
  /** The plan of a turn so far. */
  "turn:plan:updated": [data: { turnId: string; plan: TurnPlanStep[] }];
  /** A thread has begun. */
  "thread:started": [thread: Thread];
  /** Every notification as it came, the doubled `codex/event/*` of old servers included. */
  notification: [message: NotificationMessage];
  /** The way to the server has changed. */
  state: [state: ClientState];
  /** Something to know of. */
  warning: [warning: ClientWarning];
  /** The connection ended and nobody asked for it. */
  error: [error: Error];
  /** The client has ended, once. */
  close: [error: Error | undefined];
}

/** Calls the listeners of a client event. */
export type EmitEvent = <E extends keyof ClientEvents>(event: E, ...args: ClientEvents[E]) => void;
type Translation = { [M in keyof ServerNotifications]?: (params: ServerNotifications[M], emit: EmitEvent) => void };

const translations: Translation = {
  "turn/started": ({ turn }, emit) => emit("turn:started", turn),
  "turn/completed": ({ turn }, emit) => emit("turn:completed", turn),
  "item/started": ({ item }, emit) => emit("item:started", item),
  "item/completed": ({ item }, emit) => emit("item:completed", item),
  "item/agentMessage/delta": ({ itemId, delta }, emit) => emit("item:agentMessage:delta", { itemId, text: delta }),
  "item/commandExecution/outputDelta": ({ itemId, delta }, emit) =>
    emit("item:commandExecution:outputDelta", { itemId, output: delta }),
  "turn/diff/updated": ({ threadId, turnId, diff }, emit) => emit("turn:diff:updated", { threadId, turnId, diff }),
  "turn/plan/updated": ({ turnId, plan }, emit) => emit("turn:plan:updated", { turnId, plan }),
  "thread/started": ({ thread }, emit) => emit("thread:started", thread),
};

/** Notifications by the name of the client event that they become. */
const eventOf = new Map<string, keyof ClientEvents>(
  Object.keys(translations).map((method) => [method, method.replaceAll("/", ":") as keyof ClientEvents]),
);

/** Emits the client event of a notification, where it has one and somebody listens. */
export function emitTranslated(
  message: NotificationMessage,
  hasListener: (event: keyof ClientEvents) => boolean,
  emit: EmitEvent,
): void {
  const event = eventOf.get(message.method);
  if (event === undefined || !hasListener(event)) return;
  const translate = translations[message.method as keyof Translation] as
    | ((params: unknown, emit: EmitEvent) => void)
    | undefined;
  translate?.(message.params, emit);
}
