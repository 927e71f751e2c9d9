/**
 * Reads events that differ from an earlier one in nothing but `sequence_number` and `delta`, without parsing them.
 *
 * A template is made from an event that was parsed. Another event matches only if, character by character, it is that
 * event with other digits and another string in those two places; whatever else comes is parsed as usual. So the
 * short cut is exact, whatever order or fields a provider chooses.
 */
export class DeltaTemplate {
  readonly #head: string;
  readonly #middle: string;
  readonly #tail: string;

  /** Makes a template of an event, given as text and parsed; `undefined` where the event does not lend itself to it. */
  static of(data: string, event: Readonly<Record<string, unknown>>): DeltaTemplate | undefined {
    const key = /"delta":\s*"/.exec(data);
    const number = /"sequence_number":\s*(?=\d)/.exec(data);
    if (!key) return undefined;
    const open = key.index + key[0].length;
    const close = closingQuote(data, open);
    const digits = number && number.index < open ? number.index + number[0].length : -1;
    const template =
      digits < 0
        ? new DeltaTemplate(data.slice(0, open), "", data.slice(close))
        : new DeltaTemplate(data.slice(0, digits), data.slice(skipDigits(data, digits), open), data.slice(close));
    return template.#changesOnlyTheDelta(event) ? template : undefined;
  }

  private constructor(head: string, middle: string, tail: string) {
    this.#head = head;
    this.#middle = middle;
    this.#tail = tail;
  }

  /** The delta of an event that matches, else `undefined`. */
  read(data: string): string | undefined {
    if (!data.startsWith(this.#head)) return undefined;
    let open = this.#head.length;
    if (this.#middle !== "") {
      const digitsEnd = skipDigits(data, open);
      if (digitsEnd === open || !data.startsWith(this.#middle, digitsEnd)) return undefined;
      open = digitsEnd + this.#middle.length;
    }
    const close = data.length - this.#tail.length;
    if (close < open || !data.endsWith(this.#tail)) return undefined;
    const body = data.substring(open, close);
    return body.includes('"') || body.includes("\\") ? parseLiteral(body) : body;
  }

  /** Whether the two places found in the text are the fields they are taken for, and not text within another value. */
  #changesOnlyTheDelta(event: Readonly<Record<string, unknown>>): boolean {
    const probe = parseObject(`${this.#head}${this.#middle === "" ? "" : "7"}${this.#middle}another${this.#tail}`);
    if (probe?.delta !== "another") return false;
    const same = { delta: 0, sequence_number: 0 };
    return JSON.stringify({ ...probe, ...same }) === JSON.stringify({ ...event, ...same });
  }
}

function skipDigits(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code >= 48 && code <= 57; code = text.charCodeAt(at)) at++;
  return at;
}

/** Where the string that begins at `from` ends. */
function closingQuote(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** Refuses what is no string literal, such as one that a quote ends early. */
function parseLiteral(body: string): string | undefined {
  try {
    return JSON.parse(`"${body}"`) as string;
  } catch {
    return undefined;
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
