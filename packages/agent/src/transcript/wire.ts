/** A notification as it came: nothing about its params is known but that they are an object, if there are any. */
export interface WireMessage {
  readonly method: string;
  readonly params?: unknown;
}

/** A member of an object that came over the wire; undefined where there is none. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** The same, if it is a text. */
export function textMember(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === "string" ? found : undefined;
}
