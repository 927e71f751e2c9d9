import type { RawLine } from "../rollout-bytes.ts";
import { linesIn, type Span, Unsure } from "./line-heads.ts";

interface TurnPlace {
  readonly id: string;
  /**
   * The turn's lines, with the one after them that begins the next turn. Turns that were taken back stand in that of
   * the turn before them.
   */
  readonly span: Span;
  /** True when the turn before has an end, so that it can be read without that one. */
  readonly isApart: boolean;
}

/** The places of each turn's lines in a file. */
export class TurnOutline {
  /** False for the last lines of a file: earlier turns are not known. */
  #isWhole = true;
  readonly #turns: TurnPlace[] = [];
  readonly #index = new Map<string, number>();
  /** Lines about a turn that stand elsewhere: mostly the end of a command that outlived its turn. */
  readonly #strays = new Map<string, Span[]>();
  readonly #settings: Span[] = [];
  /** The end of the lines before all others that every read begins with. */
  headEnd = 0;

  /** For the last lines of a file. */
  static ofEnd(): TurnOutline {
    const outline = new TurnOutline();
    outline.#isWhole = false;
    return outline;
  }

  get count(): number {
    return this.#turns.length;
  }

  /** The newest turn; empty before the first. */
  get last(): string {
    return this.#turns.at(-1)?.id ?? "";
  }

  id(at: number): string | undefined {
    return this.#turns[at]?.id;
  }

  indexOf(turnId: string): number {
    return this.#index.get(turnId) ?? -1;
  }

  /** A line begins a turn. */
  start(id: string, line: Span, isApart = true): void {
    if (this.#index.has(id)) throw new Unsure("two turns have the same id");
    this.end(line.to);
    this.#index.set(id, this.#turns.length);
    this.#turns.push({ id, span: { ...line }, isApart });
  }

  /** A turn and all later ones are taken back; what follows is about the turn before. */
  revert(id: string): void {
    const first = this.#index.get(id);
    if (first === undefined && !this.#isWhole) throw new Unsure("a turn before these is taken back");
    if (first === undefined) return;
    for (const turn of this.#turns.splice(first)) this.#index.delete(turn.id);
  }

  /** A line is about a turn that is not the newest. */
  stray(id: string, line: Span): void {
    const known = this.#strays.get(id);
    if (known) known.push(line);
    else this.#strays.set(id, [line]);
  }

  /** A line with settings for all that comes. */
  setting(line: Span): void {
    this.#settings.push(line);
  }

  /** The newest turn's lines go up to there. */
  end(to: number): void {
    const last = this.#turns.at(-1);
    if (last) last.span.to = to;
  }

  /** All lines about some turns, given by their indices. */
  lines(bytes: Buffer, from: number, to: number): Generator<RawLine> {
    let first = from;
    while (first > 0 && !this.#turns[first]?.isApart) first--;
    const turns = this.#turns.slice(first, to);
    const start = turns[0]?.span.from ?? 0;
    const setting = this.#settings.findLast((line) => line.from < start);
    const before = [{ from: 0, to: Math.min(this.headEnd, start) }, ...(setting ? [setting] : [])];
    const about = turns.flatMap(({ id, span }) => [span, ...(this.#strays.get(id) ?? [])]);
    return linesIn(bytes, [...before, ...about]);
  }
}
