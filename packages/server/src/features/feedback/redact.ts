import { maskSecrets } from "../../lib/mask-secrets.ts";

const mark = "[redacted]";

/** A text without what looks like a key, and without the values of variables whose names say that they hold one. */
export function redact(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value && value.length >= 8 && /key|token|secret|passw/i.test(name) ? [value] : [],
  );
  const known = values.reduce((rest, value) => rest.replaceAll(value, mark), text);
  return maskSecrets(known, mark);
}
