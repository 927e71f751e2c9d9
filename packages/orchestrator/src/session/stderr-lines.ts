/** Longest line that is kept; the rest of it is left out. */
const maxLine = 2000;

/** Makes lines of what a process writes, which comes in pieces that end anywhere. */
export class StderrLines {
  readonly #line: (line: string) => void;
  readonly #decoder = new TextDecoder();
  #rest = "";

  /** @param line Called with each line that is not blank. */
  constructor(line: (line: string) => void) {
    this.#line = line;
  }

  add(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split(/\r?\n|\r/);
    this.#rest = (lines.pop() ?? "").slice(0, maxLine);
    for (const line of lines) this.#tell(line);
  }

  /** Tells what came last without a line break. */
  end(): void {
    this.#tell(this.#rest);
    this.#rest = "";
  }

  #tell(line: string): void {
    if (line.trim() !== "") this.#line(line.slice(0, maxLine).trimEnd());
  }
}
