/** The replacement of a secret. */
const mask = "[redacted]";
/** Shorter texts are no secrets, and hiding them would garble everything. */
const leastSecret = 6;

/** Takes the secrets that the agent was given out of all that it shows. */
export class Redactor {
  #secrets: readonly string[] = [];

  constructor(secrets: readonly string[]) {
    this.learn(secrets);
  }

  /** From now on these are hidden too. */
  learn(secrets: readonly string[]): void {
    const known = [...this.#secrets, ...secrets].filter((secret) => secret.length >= leastSecret);
    // The longest first, lest a part of it is hidden and the rest shown.
    this.#secrets = [...new Set(known)].sort((a, b) => b.length - a.length);
  }

  /** A text without secrets. */
  text(text: string): string {
    let clean = text;
    for (const secret of this.#secrets) clean = clean.replaceAll(secret, mask);
    return clean;
  }

  /** A JSON value without secrets, itself where it has none. */
  value<T>(value: T): T {
    return this.#secrets.length === 0 ? value : (this.#clean(value, new Map()) as T);
  }

  /** Anything without secrets, for a log. */
  any(value: unknown): unknown {
    return value instanceof Error ? this.error(value) : this.value(value);
  }

  /** An error without secrets: itself where it has none. */
  error(error: unknown): unknown {
    if (!(error instanceof Error) || this.#secrets.length === 0) return error;
    const shown = `${error.message}\n${error.stack ?? ""}\n${inspect(error)}`;
    if (!this.#secrets.some((secret) => shown.includes(secret))) return error;
    const clean = new Error(this.text(error.message));
    clean.name = error.name;
    clean.stack = this.text(error.stack ?? "");
    return clean;
  }

  /** @param done Objects that were met already: what is logged may lead back to itself. */
  #clean(value: unknown, done: Map<object, unknown>): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value !== "object" || value === null) return value;
    if (done.has(value)) return done.get(value);
    const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
    done.set(value, copy);
    for (const [key, each] of Object.entries(value)) {
      // Not by assignment, which a key "__proto__" would turn into something else.
      const entry = { value: this.#clean(each, done), enumerable: true, configurable: true, writable: true };
      Object.defineProperty(copy, this.text(key), entry);
    }
    return copy;
  }
}

/** All that an error carries besides its message, its causes included. */
function inspect(error: Error, depth = 0): string {
  const own = Object.entries(error).map(([key, value]) => `${key} ${safeJson(value)}`);
  const cause = error.cause instanceof Error && depth < 5 ? inspect(error.cause, depth + 1) : safeJson(error.cause);
  return [error.message, ...own, cause].join("\n");
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}
