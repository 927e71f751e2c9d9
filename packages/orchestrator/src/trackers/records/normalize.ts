/** A JSON object, as far as it is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value, if it is a JSON object. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The elements, if the value is a list; an empty list otherwise. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A string with more than blanks in it, as it was written; else null. */
export function text(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

/** Labels as the scheduler compares them: trimmed, lower case, each once, no blank ones. */
export function labelsOf(values: readonly unknown[]): string[] {
  const names = values.flatMap((value) => (typeof value === "string" ? [value.trim().toLowerCase()] : []));
  return [...new Set(names.filter((name) => name !== ""))];
}

/** A whole number, or null. */
export function priorityOf(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) ? value : null;
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

/** An RFC 3339 instant in its usual spelling (UTC, milliseconds), or null for what is none. */
export function instantOf(value: unknown): string | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value !== "string" || !rfc3339.test(value.trim())) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
