/** Tells whether a value is an object as a literal makes it, not an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Copies plain objects and arrays all the way down and freezes the copy, so that nobody can change it, and the original
 * stays its owner's. Other objects (dates, instances of classes) and whatever `keep` claims are taken over as they are.
 */
export function frozenCopy<T>(value: T, keep: (value: object) => boolean = () => false): T {
  const seen = new Map<object, unknown>();
  const copy = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null || keep(part)) return part;
    const isArray = Array.isArray(part);
    if (!isArray && !isPlainObject(part)) return part;
    const known = seen.get(part);
    if (known !== undefined) return known;
    const made: unknown[] | Record<string, unknown> = isArray ? [] : {};
    seen.set(part, made);
    for (const key of Object.keys(part)) {
      // Not by assignment, which a key "__proto__" would turn into something else.
      const entry = { value: copy((part as Record<string, unknown>)[key]), enumerable: true };
      Object.defineProperty(made, key, entry);
    }
    return Object.freeze(made);
  };
  return copy(value) as T;
}
