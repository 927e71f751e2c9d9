import { ToolFailure } from "../approval/tool-context.ts";
import { parseJson } from "../lib/bounded-json.ts";
import { errorMessage } from "../lib/error-message.ts";
import type { ToolCall } from "../record/tool-call.ts";
import { endOfField } from "./json-position.ts";

/** The arguments of a function call. An invalid field throws a {@link ToolFailure} that names it. */
export class Arguments {
  readonly #text: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(call: ToolCall) {
    this.#text = call.arguments;
    this.#fields = parseObject(call.arguments);
  }

  text(name: string): string | undefined {
    const value = this.#given(name);
    if (value === undefined || typeof value === "string") return value;
    throw this.#misfit(name, mismatch(value, "a string"));
  }

  requiredText(name: string): string {
    return this.#required(name, this.text(name));
  }

  flag(name: string): boolean | undefined {
    const value = this.#given(name);
    if (value === undefined || typeof value === "boolean") return value;
    throw this.#misfit(name, mismatch(value, "a boolean"));
  }

  /** A whole number of 0 or more. */
  count(name: string): number | undefined {
    const value = this.#given(name);
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !Number.isSafeInteger(value)) throw this.#misfit(name, mismatch(value, "u64"));
    if (value < 0) throw this.#misfit(name, `invalid value: integer \`${value}\`, expected u64`);
    return value;
  }

  requiredInteger(name: string): number {
    const value = this.#required(name, this.#given(name));
    if (typeof value === "number" && Number.isSafeInteger(value)) return value;
    throw this.#misfit(name, mismatch(value, "i32"));
  }

  choice<C extends string>(name: string, choices: readonly C[]): C | undefined {
    const value = this.text(name);
    const known = choices.find((choice) => choice === value);
    if (value === undefined || known !== undefined) return known;
    throw this.#misfit(
      name,
      `unknown variant \`${value}\`, expected one of ${choices.map((c) => `\`${c}\``).join(", ")}`,
    );
  }

  requiredList(name: string): readonly Readonly<Record<string, unknown>>[] {
    const value = this.#required(name, this.#given(name));
    if (!Array.isArray(value)) throw this.#misfit(name, mismatch(value, "a sequence"));
    for (const entry of value) if (!isObject(entry)) throw this.#misfit(name, mismatch(entry, "a map"));
    return value;
  }

  list(name: string): readonly Readonly<Record<string, unknown>>[] | undefined {
    return this.#given(name) === undefined ? undefined : this.requiredList(name);
  }

  texts(name: string): readonly string[] {
    const value = this.#required(name, this.#given(name));
    if (!Array.isArray(value)) throw this.#misfit(name, mismatch(value, "a sequence"));
    for (const entry of value) if (typeof entry !== "string") throw mismatch(entry, "a string");
    return value;
  }

  #required<T>(name: string, value: T | undefined): T {
    if (value !== undefined) return value;
    throw this.#misfit(name, `missing field \`${name}\``);
  }

  #misfit(name: string, reason: string): ToolFailure {
    return badArguments(`${reason} ${endOfField(this.#text, name)}`);
  }

  optionalTexts(name: string): readonly string[] | undefined {
    return this.#given(name) === undefined ? undefined : this.texts(name);
  }

  value(name: string): unknown {
    return this.#given(name);
  }

  #given(name: string): unknown {
    return this.#fields[name] ?? undefined;
  }
}

/** The failure for unreadable arguments. */
export function badArguments(reason: string): ToolFailure {
  return new ToolFailure(`failed to parse function arguments: ${reason}`);
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = parseJson(text);
  } catch (error) {
    throw badArguments(errorMessage(error));
  }
  if (isObject(parsed)) return parsed;
  throw badArguments(mismatch(parsed, "a map"));
}

function mismatch(value: unknown, expected: string): string {
  return `invalid type: ${describe(value)}, expected ${expected}`;
}

function describe(value: unknown): string {
  if (typeof value === "string") return `string ${JSON.stringify(value)}`;
  if (typeof value === "boolean") return `boolean \`${value}\``;
  if (typeof value === "number") return `${Number.isInteger(value) ? "integer" : "floating point"} \`${value}\``;
  if (value === null) return "null";
  return Array.isArray(value) ? "sequence" : "map";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
