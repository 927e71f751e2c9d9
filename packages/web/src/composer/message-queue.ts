import type { UserInput } from "@quire/protocol";
import type { TurnOverrides } from "../state/actions.ts";

/** A message that waits for the turn to end. */
export interface QueuedMessage {
  readonly id: string;
  readonly input: readonly UserInput[];
  readonly overrides: TurnOverrides;
  /** Why it could not be sent; it then waits until it is sent by hand or removed. */
  readonly error: string | null;
}

/** A queue of messages: at the server, or in the page for servers that keep none. */
export interface MessageQueue {
  readonly messages: readonly QueuedMessage[];
  readonly add: (input: readonly UserInput[], overrides: TurnOverrides) => Promise<void>;
  /** Takes a message out; false where it no longer waits. */
  readonly take: (id: string) => Promise<boolean>;
  /** Puts the messages into this order; left out where they wait in two places. */
  readonly order?: ((ids: readonly string[]) => Promise<void>) | undefined;
  /** Starts a turn with a message, in an idle thread; left out where it has to be taken and sent. */
  readonly start?: ((id: string) => Promise<void>) | undefined;
}

/** Joins two queues: messages are added to the first, and taken from where they are. */
export function joinQueues(first: MessageQueue, second: MessageQueue): MessageQueue {
  if (second.messages.length === 0) return first;
  const holder = (id: string): MessageQueue => (second.messages.some((each) => each.id === id) ? second : first);
  return {
    messages: [...first.messages, ...second.messages],
    add: first.add,
    take: (id) => holder(id).take(id),
  };
}

/** True for a message that the textbox can show whole; other clients may queue parts that it cannot. */
export function isEditable({ input }: QueuedMessage): boolean {
  return input.every(
    (part) => part.type === "text" || part.type === "skill" || (part.type === "image" && "url" in part),
  );
}
