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

/** Requests of the same content together, for threads that work at once ask in any order; then the others in order. */
function inPairs(real: readonly ModelView[], ours: readonly ModelView[]): (readonly [ModelView, ModelView])[] {
  const left = [...ours];
  const take = (index: number) => left.splice(index, 1)[0] as ModelView;
  const partners = real.map(({ input }) => {
    const same = left.findIndex((other) => isDeepStrictEqual(other.input, input));
    return same === -1 ? undefined : take(same);
  });
  return real.map((view, index) => [view, partners[index] ?? take(0)] as const);
}

function distinct(found: readonly Found[]): Found[] {
  return [...new Map(found.map((each) => [JSON.stringify(each), each] as const)).values()];
}
