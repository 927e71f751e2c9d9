import { resolvePath } from "./resolve-text.ts";
import { WorkflowError } from "./workflow-error.ts";

interface Range {
  readonly least?: number;
  readonly most?: number;
}

/** The settings of one section of the front matter, read with errors that name them. */
export class Settings {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(values: Readonly<Record<string, unknown>>, path = "") {
    this.#values = values;
    this.#path = path;
  }

  /** A section of this one; empty where it is not there. */
  section(key: string): Settings {
    return new Settings(this.map(key), this.#named(key));
  }

  /** Names of all that is set here. */
  keys(): readonly string[] {
    return Object.keys(this.#values);
  }

  /** The value as it is written; null counts as not there. */
  raw(key: string): unknown {
    return this.#values[key] ?? undefined;
  }

  /** A map, copied as it is. */
  map(key: string): Readonly<Record<string, unknown>> {
    const value = this.raw(key);
    if (value === undefined) return {};
    if (typeof value !== "object" || Array.isArray(value)) throw this.#wrong(key, "a map");
    return value as Record<string, unknown>;
  }

  /** A text that is not blank. */
  text(key: string): string | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (typeof value !== "string" || value.trim() === "") throw this.#wrong(key, "a non-empty string");
    return value;
  }

  /** Texts; numbers and truth values, which YAML makes of some words, count as texts. */
  texts(key: string): readonly string[] | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    const isText = (one: unknown) => ["string", "number", "boolean"].includes(typeof one);
    if (!Array.isArray(value) || !value.every(isText)) throw this.#wrong(key, "a list of strings");
    return value.map(String);
  }

  /** A path, absolute, or an address as it is written. */
  path(
    key: string,
    { baseDir, env }: { readonly baseDir: string; readonly env: Readonly<Record<string, string | undefined>> },
  ): string | undefined {
    const written = this.text(key)?.trim();
    if (written === undefined || /^[a-z+]+:\/\/|^[\w.-]+@[\w.-]+:/i.test(written)) return written;
    const path = resolvePath(written, baseDir, env);
    if (path === undefined) throw this.#wrong(key, "a path, or a variable that is set");
    return path;
  }

  /** True or false. */
  flag(key: string, fallback: boolean): boolean {
    const value = this.raw(key) ?? fallback;
    if (typeof value !== "boolean") throw this.#wrong(key, "true or false");
    return value;
  }

  /** Word out of several; the first is the default. */
  choice<const T extends string>(key: string, all: readonly [T, ...T[]]): T {
    const value = this.raw(key) ?? all[0];
    const found = all.find((one) => one === value);
    if (found === undefined) throw this.#wrong(key, `one of ${all.join(", ")}`);
    return found;
  }

  /** A number of 0 or more, with or without a fraction; null where it is not set. */
  amount(key: string): number | null {
    const value = this.raw(key);
    if (value === undefined) return null;
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) throw this.#wrong(key, "a number");
    return value;
  }

  /** A whole number, also written as text, not below the least. */
  integer(key: string, fallback: number, { least = 1, most = Number.MAX_SAFE_INTEGER }: Range = {}): number {
    const value = this.raw(key);
    if (value === undefined) return fallback;
    const number = toInteger(value);
    if (number === undefined || number < least || number > most) {
      throw this.#wrong(
        key,
        most < Number.MAX_SAFE_INTEGER
          ? `a whole number from ${least} to ${most}`
          : `a whole number of ${least} or more`,
      );
    }
    return number;
  }

  #named(key: string): string {
    return this.#path === "" ? key : `${this.#path}.${key}`;
  }

  #wrong(key: string, expected: string): WorkflowError {
    const shown = JSON.stringify(this.raw(key)) ?? String(this.raw(key));
    return new WorkflowError(
      "invalid_workflow_config",
      `${this.#named(key)} must be ${expected}, not ${shown.slice(0, 100)}`,
    );
  }
}

/** A whole number, also written as text. */
export function toInteger(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}
