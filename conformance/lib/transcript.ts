import { type ModelView, modelView, withThread } from "./model-view.ts";
import { Names } from "./names.ts";
import type { Said, WireMessage } from "./peer.ts";
import type { Scenario } from "./scenario.ts";
import { Scrubber } from "./scrub.ts";
import type { Stage } from "./stage.ts";

/** A notification or request of the server. */
export interface ServerEvent {
  readonly method: string;
  /** The whole message but for its id. */
  readonly message: unknown;
}

/** The answer to one request of the scenario. */
export interface AnsweredRequest {
  readonly peer: string;
  readonly method: string;
  /** `result`, `error` or, where the server said nothing, neither. */
  readonly reply: unknown;
}

/** A run of a scenario in comparable form. */
export interface Transcript {
  /** In the order of the requests. */
  readonly replies: readonly AnsweredRequest[];
  /** The server's notifications, for each connection. */
  readonly events: ReadonlyMap<string, readonly ServerEvent[]>;
  readonly model: readonly ModelView[];
  /** Observations of the scenario itself. */
  readonly observations: readonly (readonly [string, unknown])[];
}

/** Brings what a stage has seen into comparable form. */
export function transcript(stage: Stage, { quotes = [] }: Scenario): Transcript {
  const names = new Names();
  // Notifications say which thread a turn is of; replies do not.
  const heard = stage.log.filter(({ by }) => by === "server").map(({ message }) => message);
  for (const message of heard) if (!isReply(message)) names.learn(message);
  for (const message of heard) if (isReply(message)) names.learn(message);
  const scrubber = new Scrubber({ home: stage.home, cwd: stage.cwd, names });
  const { requests } = stage.model;
  const told = {
    replies: replies(stage.log, scrubber),
    events: events(stage.log, scrubber),
    observations: stage.observations.map(([what, value]) => [scrubber.text(what), scrubber.value(value)] as const),
    model: requests.map((request) => [modelView(request, quotes, scrubber), request] as const),
  };
  return { ...told, model: told.model.map(([view, request]) => withThread(view, request, scrubber)) };
}

function replies(log: readonly Said[], scrubber: Scrubber): AnsweredRequest[] {
  const requests = log.filter(({ by, message }) => by === "client" && !isReply(message));
  return requests.flatMap(({ peer, message: { id, method, params } }) => {
    if (id === undefined && method !== undefined) return [];
    const answer = log.find(
      (said) => said.by === "server" && said.peer === peer && isReply(said.message) && said.message.id === id,
    );
    const { id: _, ...reply } = answer?.message ?? {};
    return [{ peer, method: method ?? String(params), reply: scrubber.value(reply) }];
  });
}

function events(log: readonly Said[], scrubber: Scrubber): Map<string, ServerEvent[]> {
  const byPeer = new Map<string, ServerEvent[]>();
  for (const { by, peer, message } of log) {
    if (by !== "server" || (message.method === undefined && isAwaited(message, peer, log))) continue;
    const { id, ...rest } = message;
    const event = { ...rest, ...(id !== undefined && { id: "<request>" }) };
    const list = byPeer.get(peer) ?? [];
    byPeer.set(peer, list);
    list.push({ method: message.method ?? "reply to no request", message: scrubber.value(event) });
  }
  return byPeer;
}

function isAwaited({ id }: WireMessage, peer: string, log: readonly Said[]): boolean {
  return log.some((said) => said.by === "client" && said.peer === peer && said.message.id === id);
}

function isReply({ result, error }: WireMessage): boolean {
  return result !== undefined || error !== undefined;
}
