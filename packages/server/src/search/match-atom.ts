import type { FoldedText, Span } from "./fold-case.ts";
import type { Atom } from "./query.ts";
import { fuzzyPlaces, fuzzyScore, none, placesScore } from "./score.ts";

/** The score of a query word in a text, or `none`. A negative word scores 0 when it does not occur. */
export function atomScore(text: FoldedText, span: Span, atom: Atom): number {
  if (atom.kind === "fuzzy" && !atom.negative) return fuzzyScore(text, span, atom.codes);
  const places = wholePlaces(text, span, atom);
  if (atom.negative) return places === undefined ? 0 : none;
  return places === undefined ? none : placesScore(text, places);
}

/** The places of a word's letters. The word must occur. */
export function atomPlaces(text: FoldedText, span: Span, atom: Atom): readonly number[] {
  if (atom.negative) return [];
  if (atom.kind === "fuzzy") return fuzzyPlaces(text, span, atom.codes);
  return wholePlaces(text, span, atom) ?? [];
}

/** The places of a word that must occur without gaps, at its best position. */
function wholePlaces(text: FoldedText, span: Span, { kind, codes }: Atom): number[] | undefined {
  const last = span.end - codes.length;
  const from = kind === "postfix" ? Math.max(last, span.start) : span.start;
  const to = kind === "prefix" || kind === "exact" ? span.start : last;
  if (to < from || to > last || (kind === "exact" && last !== span.start)) return undefined;
  let best: number[] | undefined;
  let bestScore = none;
  for (let at = from; at <= to; at++) {
    if (!occursAt(text.codes, at, codes)) continue;
    const places = Array.from(codes, (_, index) => at + index);
    const score = placesScore(text, places);
    if (score > bestScore) [best, bestScore] = [places, score];
  }
  return best;
}

function occursAt(text: FoldedText["codes"], at: number, codes: Uint16Array): boolean {
  for (let index = 0; index < codes.length; index++) if (text[at + index] !== codes[index]) return false;
  return true;
}
