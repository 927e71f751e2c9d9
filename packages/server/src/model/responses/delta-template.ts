/**
 * Reads events that differ from an earlier one only in `sequence_number` and `delta`, without parsing them. An event
 * matches only if it equals the template's character by character except in these two places; any other is parsed. So
 * the short cut is exact for any order and fields of a provider.
 */
export class DeltaTemplate {
  readonly #head: string;
  readonly #middle: string;
  readonly #tail: string;

  /** A template of a parsed event; `undefined` when the event does not fit. */
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

  /** The delta of a matching event, else `undefined`. */
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

  /** True when both places are really these fields, not text within another value. */
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

function closingQuote(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** Refuses an invalid literal, such as one with an inner quote. */
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
