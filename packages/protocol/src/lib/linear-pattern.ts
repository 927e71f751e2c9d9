import { type PatternNode, parsePattern } from "./parse-pattern.ts";

/** A regular expression whose matching takes time in proportion to the text, whatever the two are. */
export interface LinearPattern {
  test(text: string): boolean;
}

/** Steps of a pattern. More have no use, and a small text can ask for any number of them (`(a{99}){99}`). */
const maxSteps = 5000;

type Step =
  | { readonly op: "character"; readonly has: (codePoint: number) => boolean }
  | { readonly op: "split"; readonly to: [number, number] }
  | { readonly op: "assert"; readonly holds: (before: number, after: number) => boolean }
  | { readonly op: "match" };

/**
 * Compiles a regular expression as JavaScript and Rust both read it; `undefined` for one that needs to go back and forth
 * (look-around, references to groups), has an error or is too large. `RegExp` tries one way after the other, so that
 * `(a+)+$` takes years for forty characters; this follows all ways at once.
 */
export function linearPattern(source: string): LinearPattern | undefined {
  const node = parsePattern(source);
  const steps: Step[] = [];
  if (node === undefined || !emit(node, steps)) return undefined;
  steps.push({ op: "match" });
  return { test: (text) => new Run(steps).test(text) };
}

/** Appends the steps of a node; `false` where they are too many. */
function emit(node: PatternNode, steps: Step[]): boolean {
  if (steps.length > maxSteps) return false;
  switch (node.type) {
    case "character":
      steps.push({ op: "character", has: node.has });
      return true;
    case "assert":
      steps.push({ op: "assert", holds: node.holds });
      return true;
    case "sequence":
      return node.parts.every((part) => emit(part, steps));
    case "choice":
      return emitChoice(node.parts, steps);
    case "repeat":
      return emitRepeat(node, steps);
  }
}

function split(steps: Step[]): [number, number] {
  const to: [number, number] = [steps.length + 1, steps.length + 1];
  steps.push({ op: "split", to });
  return to;
}

function emitChoice(parts: readonly PatternNode[], steps: Step[]): boolean {
  const ends: [number, number][] = [];
  for (const [index, part] of parts.entries()) {
    const branch = index < parts.length - 1 ? split(steps) : undefined;
    if (!emit(part, steps)) return false;
    if (branch === undefined) continue;
    ends.push(split(steps));
    branch[1] = steps.length;
  }
  for (const end of ends) end.fill(steps.length);
  return true;
}

function emitRepeat({ part, least, most }: Extract<PatternNode, { type: "repeat" }>, steps: Step[]): boolean {
  for (let count = 0; count < least; count++) if (!emit(part, steps)) return false;
  const skips: [number, number][] = [];
  for (let count = least; count < (most ?? least + 1); count++) {
    const start = steps.length;
    skips.push(split(steps));
    if (!emit(part, steps)) return false;
    if (most === undefined) split(steps).fill(start);
  }
  for (const skip of skips) skip[1] = steps.length;
  return true;
}

class Run {
  readonly #steps: readonly Step[];
  /** At which place of the text a step was last reached. */
  readonly #reached: Int32Array;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#reached = new Int32Array(steps.length).fill(-1);
  }

  test(text: string): boolean {
    let before = -1;
    let waiting: number[] = [];
    for (let at = 0, place = 0; ; place++) {
      const after = text.codePointAt(at) ?? -1;
      const here: number[] = [];
      // A match may begin anywhere.
      for (const step of [...waiting, 0]) if (this.#reach(step, place, { before, after, here })) return true;
      if (after === -1) return false;
      waiting = here.filter((step) => this.#takes(step, after)).map((step) => step + 1);
      at += after > 0xffff ? 2 : 1;
      before = after;
    }
  }

  #takes(step: number, codePoint: number): boolean {
    const { op, ...rest } = this.#steps[step] as Step;
    return op === "character" && (rest as { has(codePoint: number): boolean }).has(codePoint);
  }

  /** Follows all that needs no character. Returns whether the end is reached. */
  #reach(first: number, place: number, around: { before: number; after: number; here: number[] }): boolean {
    const open = [first];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.#reached[at] === place) continue;
      this.#reached[at] = place;
      const step = this.#steps[at] as Step;
      if (step.op === "match") return true;
      if (step.op === "character") around.here.push(at);
      else if (step.op === "split") open.push(...step.to);
      else if (step.holds(around.before, around.after)) open.push(at + 1);
    }
    return false;
  }
}
