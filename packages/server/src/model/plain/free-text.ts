import { parseJson } from "../../lib/bounded-json.ts";
import { isTable } from "../../lib/table.ts";

/** The only parameter of a function that stands for a tool with free text as its input. */
export const inputName = "input";

/** The arguments of such a function for a text. */
export function argumentsOfText(input: string): string {
  return JSON.stringify({ [inputName]: input });
}

/** The text of such a call. Models that are used to free text leave the JSON away; others call the parameter otherwise. */
export function textOfArguments(args: string): string {
  let parsed: unknown;
  try {
    parsed = parseJson(args);
  } catch {
    return textOfFlawed(args) ?? args;
  }
  if (typeof parsed === "string") return parsed;
  if (!isTable(parsed)) return args;
  if (typeof parsed[inputName] === "string") return parsed[inputName];
  const [only, ...others] = Object.values(parsed);
  return others.length === 0 && typeof only === "string" ? only : args;
}

/** The text in arguments that are JSON but for raw line ends in the text or their own end; a text cut short is none. */
function textOfFlawed(args: string): string | undefined {
  const stream = new FreeTextStream();
  const text = stream.push(args);
  return stream.isComplete ? text : undefined;
}

const escapes: ReadonlyMap<string, string> = new Map(Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }));

/** The text of such a call while its arguments stream. */
export class FreeTextStream {
  #rest = "";
  #place: "start" | "json" | "text" | "after" | "other" | "raw" = "start";

  /** True when the text has ended, and nothing but the object's end has followed. */
  get isComplete(): boolean {
    return this.#place === "after" && /^[\s}]*$/.test(this.#rest);
  }

  /** Takes a piece of the arguments. Returns the further text. */
  push(piece: string): string {
    this.#rest += piece;
    if (this.#place === "start") this.#start();
    if (this.#place === "json") this.#head();
    if (this.#place === "text") return this.#text();
    if (this.#place !== "raw") return "";
    const text = this.#rest;
    this.#rest = "";
    return text;
  }

  #start(): void {
    const first = this.#rest.trimStart()[0];
    if (first !== undefined) this.#place = first === "{" ? "json" : "raw";
  }

  /** Skips up to the first value. */
  #head(): void {
    const head = /^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(\S)/.exec(this.#rest);
    if (!head) return;
    this.#place = head[1] === '"' ? "text" : "other";
    this.#rest = this.#rest.slice(head[0].length);
  }

  #text(): string {
    let text = "";
    let at = 0;
    while (at < this.#rest.length) {
      const stop = this.#rest.slice(at).search(/["\\]/);
      const end = stop < 0 ? this.#rest.length : at + stop;
      text += this.#rest.slice(at, end);
      at = end;
      if (this.#rest[at] === '"') {
        this.#place = "after";
        at++;
        break;
      } else if (this.#rest[at] === "\\") {
        const length = this.#rest[at + 1] === "u" ? 6 : 2;
        // The rest of the escape comes with the next piece.
        if (at + length > this.#rest.length) break;
        text += unescaped(this.#rest.slice(at, at + length));
        at += length;
      }
    }
    this.#rest = this.#rest.slice(at);
    return text;
  }
}

function unescaped(sequence: string): string {
  const char = sequence[1] ?? "";
  if (char !== "u") return escapes.get(char) ?? char;
  const code = Number.parseInt(sequence.slice(2), 16);
  return Number.isNaN(code) ? "\ufffd" : String.fromCharCode(code);
}
