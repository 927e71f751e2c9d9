import { dirname } from "node:path";
import { isTable, type Table, valueAt } from "../lib/table.ts";
import { ConfigError } from "./config-error.ts";
import { type Layers, layerName, layerOf } from "./layers.ts";
import { lineOfKey } from "./toml/toml.ts";

/** Reads typed values from layers. A wrong type is an error that names file, line, key and expectation. */
export class Settings {
  readonly #layers: Layers;

  constructor(layers: Layers) {
    this.#layers = layers;
  }

  raw(...path: readonly string[]): unknown {
    return valueAt(this.#layers.merged, path);
  }

  /** `null` when the key is missing, as in the methods below. */
  string(...path: readonly string[]): string | null {
    return this.#read(path, "a string", (value) => (typeof value === "string" ? value : undefined));
  }

  /** A non-empty string. */
  name(...path: readonly string[]): string | null {
    return this.#read(path, "a string that is not empty", (value) =>
      typeof value === "string" && value.trim() !== "" ? value : undefined,
    );
  }

  flag(...path: readonly string[]): boolean | null {
    return this.#read(path, "true or false", (value) => (typeof value === "boolean" ? value : undefined));
  }

  /** A whole number of 0 or more. */
  count(...path: readonly string[]): number | null {
    return this.#read(path, "a whole number of 0 or more", (value) =>
      typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined,
    );
  }

  url(...path: readonly string[]): string | null {
    return this.#read(path, "an http or https URL", (value) =>
      typeof value === "string" && /^https?:$/.test(URL.parse(value)?.protocol ?? "") ? value : undefined,
    );
  }

  oneOf<T extends string>(values: readonly T[], ...path: readonly string[]): T | null {
    const expected = `one of ${values.map((value) => `"${value}"`).join(", ")}`;
    return this.#read(path, expected, (value) => values.find((each) => each === value));
  }

  /** Empty when the key is missing. */
  strings(...path: readonly string[]): readonly string[] {
    const read = this.#read(path, "a list of strings", (value) =>
      Array.isArray(value) && value.every((each) => typeof each === "string") ? (value as string[]) : undefined,
    );
    return read ?? [];
  }

  /** Empty when the key is missing. */
  stringTable(...path: readonly string[]): Readonly<Record<string, string>> {
    const read = this.#read(path, "a table of strings", (value) =>
      isTable(value) && Object.values(value).every((each) => typeof each === "string")
        ? (value as Readonly<Record<string, string>>)
        : undefined,
    );
    return read ?? {};
  }

  table(...path: readonly string[]): Table | null {
    return this.#read(path, "a table", (value) => (isTable(value) ? value : undefined));
  }

  /** @param convert Returns `undefined` for a value that does not fit. */
  read<T>(path: readonly string[], expected: string, convert: (value: unknown) => T | undefined): T | null {
    return this.#read(path, expected, convert);
  }

  /** The folder of the file that sets a value; `undefined` when no file does. */
  folderOf(path: readonly string[]): string | undefined {
    const file = layerOf(this.#layers, path)?.file;
    return file && dirname(file.path);
  }

  error(path: readonly string[], complaint: string): ConfigError {
    const layer = layerOf(this.#layers, path);
    if (!layer) return new ConfigError(`${path.join(".")}: ${complaint}`);
    const { source } = layer;
    const inFile =
      source.type === "user" && source.profile && layer.file?.path.endsWith("/config.toml")
        ? ["profiles", source.profile, ...path]
        : path;
    const line = layer.file ? lineOfKey(layer.file.text, inFile) : undefined;
    const place = line === undefined ? layerName(layer) : `${layerName(layer)}:${line}`;
    return new ConfigError(`${place}: ${path.join(".")}: ${complaint}`);
  }

  #read<T>(path: readonly string[], expected: string, convert: (value: unknown) => T | undefined): T | null {
    const value = valueAt(this.#layers.merged, path);
    if (value === undefined || value === null) return null;
    const converted = convert(value);
    if (converted !== undefined) return converted;
    throw this.error(path, `expected ${expected}, found ${shown(value)}. Change it, or remove it to use the default.`);
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
