// `crypto.randomUUID` is missing on pages that are not served over TLS, and nothing here is a secret.
const origin = Math.random().toString(36).slice(2, 10);
let count = 0;

/** An id that no other call gives, here or in another client behind the same proxy. */
export function uniqueId(kind: string): string {
  count += 1;
  return `${kind}-${origin}-${count}`;
}
