const opening = "<proposed_plan>";
const closing = "</proposed_plan>";

/** A piece of a message or of a plan. The first piece of a plan may be empty. */
export interface PlanPiece {
  readonly plan: boolean;
  readonly text: string;
}

/**
 * Separates a streaming message from the plan in it, which is between two tags, each alone on its line. Holds back at
 * most one line that may be a tag.
 */
export class PlanSplitter {
  /** The beginning of a line that may be a tag. */
  #held = "";
  /** True when the rest of the line is no tag. */
  #midLine = false;
  #inPlan = false;

  /** The pieces that are certain now. */
  push(delta: string): PlanPiece[] {
    const pieces: PlanPiece[] = [];
    for (const part of delta.split(/(?<=\n)/)) this.#take(part, pieces);
    return pieces;
  }

  /** The held-back rest. */
  end(): PlanPiece[] {
    const pieces: PlanPiece[] = [];
    const line = this.#held;
    this.#held = "";
    if (line !== "" && !this.#turns(line, pieces)) add(pieces, { plan: this.#inPlan, text: line });
    return pieces;
  }

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

  /** Handles a complete line if it is a tag; returns true then. */
  #turns(line: string, pieces: PlanPiece[]): boolean {
    const word = line.trim();
    if (word !== (this.#inPlan ? closing : opening)) return false;
    this.#inPlan = !this.#inPlan;
    if (this.#inPlan) pieces.push({ plan: true, text: "" });
    return true;
  }
}

/** A message and the last plan in it. */
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

/** Joins adjacent pieces of one kind, except at the beginning of a plan. */
function add(pieces: PlanPiece[], piece: PlanPiece): void {
  const last = pieces.at(-1);
  if (last?.plan === piece.plan && last.text !== "")
    pieces[pieces.length - 1] = { ...last, text: last.text + piece.text };
  else if (piece.text !== "") pieces.push(piece);
}
