/** A value in a document; a variable is looked up. What cannot be known is undefined. */
type Value = unknown;

/** A field at the top of a mutation. */
export interface MutationField {
  readonly name: string;
  readonly args: Readonly<Record<string, Value>>;
}

const token =
  /\s+|,|\uFEFF|#[^\n\r]*|(?<block>"""(?:\\"""|(?!""")[\s\S])*""")|(?<text>"(?:\\[^\n\r]|[^"\\\n\r])*")|(?<word>[A-Za-z_]\w*|-?\d[\w.+-]*|\.\.\.|[{}()[\]:=!|&@$])/y;

/**
 * The fields that a GraphQL document changes something by: those at the top of its mutations, with their arguments. None
 * for queries. Throws for what is more than one operation or cannot be read for certain.
 */
export function mutationFields(
  document: string,
  variables: Readonly<Record<string, unknown>>,
): readonly MutationField[] {
  return new Reader(tokensOf(document), variables).read();
}

function tokensOf(document: string): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < document.length) {
    const at = token.lastIndex;
    const found = token.exec(document);
    if (found === null) throw new Error(`The GraphQL document cannot be read at character ${at + 1}.`);
    const { block, text, word } = found.groups ?? {};
    const kept = block ?? text ?? word;
    if (kept !== undefined) tokens.push(kept);
  }
  return tokens;
}

const closing: ReadonlyMap<string, string> = new Map(Object.entries<string>({ "{": "}", "(": ")", "[": "]" }));

class Reader {
  readonly #tokens: readonly string[];
  readonly #variables: Readonly<Record<string, unknown>>;
  #at = 0;

  constructor(tokens: readonly string[], variables: Readonly<Record<string, unknown>>) {
    this.#tokens = tokens;
    this.#variables = variables;
  }

  read(): MutationField[] {
    const fields: MutationField[] = [];
    let operations = 0;
    while (this.#at < this.#tokens.length) {
      const kind = this.#peek() === "{" ? "query" : this.#next();
      if (kind !== "fragment" && ++operations > 1) throw new Error("Send one GraphQL operation at a time.");
      if (!["query", "mutation", "fragment"].includes(kind))
        throw new Error(`"${kind}" is no GraphQL query or mutation.`);
      // Name, variables, directives.
      while (this.#peek() !== "{") this.#skip();
      if (kind === "mutation") fields.push(...this.#fields());
      else this.#skip();
    }
    return fields;
  }

  #fields(): MutationField[] {
    const fields: MutationField[] = [];
    this.#expect("{");
    while (this.#peek() !== "}") {
      const first = this.#name();
      const name = this.#peek() === ":" ? this.#afterColon() : first;
      const args = this.#peek() === "(" ? this.#entries("(") : {};
      while (this.#peek() === "@") {
        this.#expect("@");
        this.#name();
        if (this.#peek() === "(") this.#skip();
      }
      if (this.#peek() === "{") this.#skip();
      fields.push({ name, args });
    }
    this.#expect("}");
    return fields;
  }

  #afterColon(): string {
    this.#expect(":");
    return this.#name();
  }

  /** `(a: 1, b: 2)` or `{a: 1, b: 2}`. */
  #entries(open: "(" | "{"): Record<string, Value> {
    const entries = new Map<string, Value>();
    this.#expect(open);
    while (this.#peek() !== closing.get(open)) {
      const name = this.#name();
      this.#expect(":");
      if (entries.has(name)) throw new Error(`The GraphQL argument "${name}" is there twice.`);
      entries.set(name, this.#value());
    }
    this.#next();
    return Object.fromEntries(entries);
  }

  #value(): Value {
    const next = this.#peek();
    if (next === "{") return this.#entries("{");
    if (next === "[") return void this.#skip();
    if (next === "$") {
      this.#expect("$");
      const name = this.#name();
      return Object.hasOwn(this.#variables, name) ? this.#variables[name] : undefined;
    }
    const text = this.#next();
    if (text.startsWith('"""')) return undefined;
    return text.startsWith('"') ? jsonText(text) : undefined;
  }

  /** Skips a token, or everything up to the matching bracket. */
  #skip(): void {
    const close = closing.get(this.#next());
    if (close === undefined) return;
    while (this.#peek() !== close) this.#skip();
    this.#next();
  }

  #name(): string {
    const name = this.#next();
    if (!/^[A-Za-z_]/.test(name)) throw new Error(`"${name}" stands where a GraphQL name should: write fields out.`);
    return name;
  }

  #expect(wanted: string): void {
    const found = this.#next();
    if (found !== wanted) throw new Error(`"${found}" stands where "${wanted}" should in the GraphQL document.`);
  }

  #peek(): string {
    const found = this.#tokens[this.#at];
    if (found === undefined) throw new Error("The GraphQL document ends too early.");
    return found;
  }

  #next(): string {
    const found = this.#peek();
    this.#at++;
    return found;
  }
}

function jsonText(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}
