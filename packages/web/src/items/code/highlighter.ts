import type { CodeTokens, HighlightReply, HighlightRequest } from "./token-kinds.ts";

/** Texts beyond this many characters stay plain: nobody reads them for their colours. */
const maxLength = 200_000;

/** Finished texts that are remembered, so that scrolling back does not highlight them again. */
const maxRemembered = 100;

/** Address of the worker's script; the bundler puts it in. */
declare const HIGHLIGHT_WORKER: string;

const remembered = new Map<string, readonly CodeTokens[]>();
const texts = new Map<number, HighlightedText>();
let worker: Worker | null | undefined;
let lastId = 0;

/** The worker, started when the first code is seen; null where workers cannot be had. It lives as long as the page. */
function theWorker(): Worker | null {
  if (worker === undefined) worker = startWorker();
  return worker;
}

function startWorker(): Worker | null {
  try {
    const started = new Worker(HIGHLIGHT_WORKER, { type: "module" });
    started.onmessage = ({ data }: MessageEvent<HighlightReply>) => texts.get(data.id)?.received(data.lines);
    return started;
  } catch (error) {
    console.warn("Code is shown without colours:", error);
    return null;
  }
}

const send = (request: HighlightRequest): void => theWorker()?.postMessage(request);

/** A text that is highlighted line by line, also while it grows. Its maker disposes of it. */
export class HighlightedText {
  readonly #language: string;
  readonly #onChange: () => void;
  #id = 0;
  /** Lines that were sent, up to and including the last line break. */
  #sent = "";
  #complete = false;
  #lines: CodeTokens[] = [];
  #key = "";

  constructor(language: string, onChange: () => void) {
    this.#language = language;
    this.#onChange = onChange;
  }

  /** Lines that are highlighted so far, from the first. */
  get lines(): readonly CodeTokens[] {
    return remembered.get(this.#key) ?? this.#lines;
  }

  /** Takes the text as it is now; its last line is only highlighted once the text is complete. */
  update(text: string, complete: boolean): void {
    if (text.length > maxLength) return;
    if (complete && remembered.has(`${this.#language}\n${text}`)) {
      this.#restart();
      this.#key = `${this.#language}\n${text}`;
      return;
    }
    const other = !text.startsWith(this.#sent) || (this.#complete && text !== this.#sent);
    if (other || this.#key !== "") this.#restart();
    if (this.#complete) return;
    const end = complete ? text.length : text.lastIndexOf("\n") + 1;
    if (end <= this.#sent.length && !complete) return;
    const added = text.slice(this.#sent.length, end);
    this.#sent = text.slice(0, end);
    this.#complete = complete;
    if (this.#id === 0) {
      lastId += 1;
      this.#id = lastId;
      texts.set(this.#id, this);
    }
    const lines = added.split("\n");
    if (!complete) lines.pop();
    send({ id: this.#id, language: this.#language, lines });
  }

  received(lines: readonly CodeTokens[]): void {
    for (const line of lines) this.#lines.push(line);
    if (this.#complete && this.#lines.length >= lineCount(this.#sent)) this.#remember();
    this.#onChange();
  }

  /** Lets the worker forget the text. */
  dispose(): void {
    this.#restart();
  }

  #restart(): void {
    if (this.#id !== 0) {
      texts.delete(this.#id);
      send({ id: this.#id, language: this.#language, lines: null });
    }
    this.#id = 0;
    this.#sent = "";
    this.#complete = false;
    this.#lines = [];
    this.#key = "";
  }

  #remember(): void {
    const oldest = remembered.keys().next().value;
    if (remembered.size >= maxRemembered && oldest !== undefined) remembered.delete(oldest);
    const [key, lines] = [`${this.#language}\n${this.#sent}`, this.#lines];
    this.#restart();
    this.#key = key;
    this.#lines = lines;
    remembered.set(key, lines);
  }
}

const lineCount = (text: string): number => text.split("\n").length;
