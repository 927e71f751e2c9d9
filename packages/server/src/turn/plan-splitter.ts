const opening = "<proposed_plan>";
const closing = "</proposed_plan>";

/** A stretch of a message: what is said, or what belongs to a plan. The first stretch of a plan may be empty. */
export interface PlanPiece {
  readonly plan: boolean;
  readonly text: string;
}

/**
 * Parts what a model says from the plan in it, as it streams: a plan stands between two tags, each alone on its line.
 * Holds back no more than a line that may still turn out to be a tag.
 */
export class PlanSplitter {
  /** The beginning of a line that may be a tag. */
  #held = "";
  /** Whether the rest of the line is no tag. */
  #midLine = false;
  #inPlan = false;

  /** The pieces that are certain now. */
  push(delta: string): PlanPiece[] {
    const pieces: PlanPiece[] = [];
    for (const part of delta.split(/(?<=\n)/)) this.#take(part, pieces);
    return pieces;
  }

  /** What was held back at the end of the message. */
  end(): PlanPiece[] {
    const pieces: PlanPiece[] = [];
    const line = this.#held;
    this.#held = "";
    if (line !== "" && !this.#turns(line, pieces)) add(pieces, { plan: this.#inPlan, text: line });
    return pieces;
  }

  /** Takes a line, or a part of one. */
  #take(part: string, pieces: PlanPiece[]): void {
    const isEnd = part.endsWith("\n");
    if (this.#midLine) {
      add(pieces, { plan: this.#inPlan, text: part });
      this.#midLine = !isEnd;
      return;
    }
    const line = this.#held + part;
    this.#held = "";
    if (isEnd && this.#turns(line, pieces)) return;
    if (!isEnd && mayBeTag(line)) {
      this.#held = line;
      return;
    }
    add(pieces, { plan: this.#inPlan, text: line });
    this.#midLine = !isEnd;
  }

  /** Whether a whole line is a tag, and what follows from it. */
  #turns(line: string, pieces: PlanPiece[]): boolean {
    const word = line.trim();
    if (word !== (this.#inPlan ? closing : opening)) return false;
    this.#inPlan = !this.#inPlan;
    if (this.#inPlan) pieces.push({ plan: true, text: "" });
    return true;
  }
}

/** A message in its two parts: what is said, and the last plan in it. */
export function splitPlan(message: string): { readonly said: string; readonly plan: string | undefined } {
  const splitter = new PlanSplitter();
  let said = "";
  let plan: string | undefined;
  for (const piece of [...splitter.push(message), ...splitter.end()]) {
    if (!piece.plan) said += piece.text;
    // An empty piece begins a plan, which takes the place of one before it.
    else plan = piece.text === "" ? "" : (plan ?? "") + piece.text;
  }
  return { said, plan };
}

function mayBeTag(line: string): boolean {
  const word = line.trimStart();
  return [opening, closing].some((tag) => tag.startsWith(word.trimEnd()) && word.length <= tag.length + 8);
}

/** Pieces of one kind in a row are one; a beginning stays apart. */
function add(pieces: PlanPiece[], piece: PlanPiece): void {
  const last = pieces.at(-1);
  if (last?.plan === piece.plan && last.text !== "")
    pieces[pieces.length - 1] = { ...last, text: last.text + piece.text };
  else if (piece.text !== "") pieces.push(piece);
}
