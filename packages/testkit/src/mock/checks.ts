/** An object of a request's JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** The reason of a refusal and the place that it is about. */
export interface Refusal {
  readonly message: string;
  readonly param: string | null;
}

/** Thrown within a check, and turned into an answer by {@link refusalOf}. */
class Refused extends Error {
  readonly param: string | null;

  constructor(message: string, param: string | null) {
    super(message);
    this.param = param;
  }
}

/** Refuses the request unless the condition holds. */
export function insist(condition: boolean, message: string, param: string | null = null): asserts condition {
  if (!condition) throw new Refused(message, param);
}

/** Runs checks. Returns the first refusal; any other error is a bad request, too. */
export function refusalOf(checks: () => void): Refusal | undefined {
  try {
    checks();
    return undefined;
  } catch (error) {
    const param = error instanceof Refused ? error.param : null;
    return { message: error instanceof Error ? error.message : String(error), param };
  }
}

/** Refuses fields that the API does not know. */
export function onlyKnown(value: Fields, known: ReadonlySet<string>, path: (key: string) => [string, string]): void {
  const key = Object.keys(value).find((key) => !known.has(key));
  if (key !== undefined) insist(false, ...path(key));
}

/** The value as an object; `{}` for anything else. */
export function asFields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The value as a list of objects; empty for anything else. */
export function asList(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(asFields) : [];
}

/** The value as text; empty for anything else. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A set of names, written with spaces between them. */
export const names = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** True for the JSON of an object. */
export function isJsonObject(value: unknown): boolean {
  try {
    const parsed: unknown = JSON.parse(asText(value));
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}
