import { isDeepStrictEqual } from "node:util";
import { align } from "./align.ts";
import { compareEvents, type Leniency } from "./compare-events.ts";
import { compareValues, type Found } from "./compare-values.ts";
import type { ModelView } from "./model-view.ts";
import type { AnsweredRequest, Transcript } from "./transcript.ts";

/** All differences between two runs of one scenario, the same one once. */
export function compare(real: Transcript, ours: Transcript, leniency: Leniency): Found[] {
  const peers = new Set([...real.events.keys(), ...ours.events.keys()]);
  return distinct([
    ...compareReplies(real.replies, ours.replies),
    ...[...peers].flatMap((peer) => compareEvents(real.events.get(peer) ?? [], ours.events.get(peer) ?? [], leniency)),
    ...compareModel(real.model, ours.model),
    ...align(real.observations, ours.observations, ([what]) => what).flatMap((pair) =>
      compareValues(`seen: ${(pair.real ?? pair.ours)?.[0]}`, pair.real?.[1], pair.ours?.[1]),
    ),
  ]);
}

/** The scenario sends the same requests to both, unless an earlier difference made it fail. */
function compareReplies(real: readonly AnsweredRequest[], ours: readonly AnsweredRequest[]): Found[] {
  return align(real, ours, ({ peer, method }) => `${peer} ${method}`).flatMap((pair) => {
    if (!pair.real) return [{ where: `request ${pair.ours?.method}`, real: "not sent", ours: "sent" }];
    if (!pair.ours) return [{ where: `request ${pair.real.method}`, real: "sent", ours: "not sent" }];
    return compareValues(`reply ${pair.real.method}`, pair.real.reply, pair.ours.reply);
  });
}

function compareModel(real: readonly ModelView[], ours: readonly ModelView[]): Found[] {
  if (real.length !== ours.length) {
    return [{ where: "model requests", real: `${real.length}`, ours: `${ours.length}` }];
  }
  return inPairs(real, ours).flatMap(([view, other]) => {
    const input = align(view.input, other.input, (line) => line);
    return [
      ...input.flatMap(({ real, ours }) => {
        if (ours === undefined) return [{ where: `model input lacks: ${real}`, real: "sent", ours: "not sent" }];
        return real === undefined ? [{ where: `model input adds: ${ours}`, real: "not sent", ours: "sent" }] : [];
      }),
      ...compareValues("model tool", view.tools, other.tools),
      ...compareValues("model", view.flags, other.flags),
    ];
  });
}

/**
 * Each request with its partner. Threads that work at once ask in any order: what has the same content goes together, then
 * what is of the same thread, where that asks as often on both sides. The others are taken as they come.
 */
function inPairs(real: readonly ModelView[], ours: readonly ModelView[]): (readonly [ModelView, ModelView])[] {
  const times = (views: readonly ModelView[], { thread }: ModelView) =>
    views.filter((view) => view.thread === thread).length;
  const likeness: readonly ((one: ModelView, other: ModelView) => boolean)[] = [
    (one, other) => isDeepStrictEqual(one.input, other.input),
    (one, other) => one.thread === other.thread && times(real, one) === times(ours, one),
    () => true,
  ];
  const left = new Set(ours);
  const partners = new Map<ModelView, ModelView>();
  for (const isAlike of likeness) {
    for (const view of real) {
      const partner = partners.has(view) ? undefined : [...left].find((other) => isAlike(view, other));
      if (partner === undefined) continue;
      partners.set(view, partner);
      left.delete(partner);
    }
  }
  return [...partners];
}

function distinct(found: readonly Found[]): Found[] {
  return [...new Map(found.map((each) => [JSON.stringify(each), each] as const)).values()];
}
