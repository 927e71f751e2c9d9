/** An object of which nothing is known but that it is one. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one for anything else. */
export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The value as a list; an empty one for anything else. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a text, else the fallback. */
export function text(value: unknown, fallback = ""): string {
  return typeof value === "string" ? value : fallback;
}

/** The value if it is a text, else `null`. */
export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The value if it is a number, else `null`. */
export function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** Milliseconds from a duration as Codex writes it. */
export function durationMs(value: unknown): number | null {
  const { secs, nanos } = fields(value);
  return typeof secs === "number" ? secs * 1000 + Math.round((numberOrNull(nanos) ?? 0) / 1e6) : null;
}

/** `snake_case` as `camelCase`. */
export function camel(word: string): string {
  return word.replaceAll(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** An object with the names of its fields in `camelCase`, all the way down. */
export function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [camel(key), camelKeys(field)]));
}
