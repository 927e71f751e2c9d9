import type { TurnEvent } from "@quire/client";

type Event = readonly [method: string, params: Readonly<Record<string, unknown>>];

/** A turn as the wire has it. */
export function wireTurn(id: string, status: string, more: Readonly<Record<string, unknown>> = {}) {
  return { id, status, items: [], error: null, ...more };
}

/** An agent message as the wire has it. */
export function said(id: string, text: string) {
  return { type: "agentMessage", id, text, phase: null, memoryCitation: null };
}

/** A command that has run, as the wire has it. */
export function ran(id: string, command: string) {
  return { type: "commandExecution", id, command, cwd: "/", status: "completed", exitCode: 0, commandActions: [] };
}

export const started = (id: string): Event => ["turn/started", { turn: wireTurn(id, "inProgress") }];
export const begins = (item: object): Event => ["item/started", { item }];
export const delta = (itemId: string, text: string): Event => ["item/agentMessage/delta", { itemId, delta: text }];
export const completes = (item: object): Event => ["item/completed", { item }];
export const ends = (id: string, status = "completed"): Event => ["turn/completed", { turn: wireTurn(id, status) }];

/** Everything that happens in a turn in which the agent says one thing. */
export function wholeTurn(id: string, text: string): Event[] {
  const item = said(`${id}-msg`, text);
  return [started(id), begins({ ...item, text: "" }), delta(item.id, text), completes(item), ends(id)];
}

/** All events that a consumer sees. */
export async function collect(turn: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

/** The kinds of events, for comparing. */
export function kinds(events: readonly TurnEvent[]): string[] {
  return events.map(({ type }) => type);
}
