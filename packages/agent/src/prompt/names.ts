import { PromptValidationError } from "../lib/prompt-errors.ts";

/** The name of a prompt or its namespace: trimmed, in lower case, and of the characters that names have. */
export function normalizeName(name: string, what: string): string {
  const normal = name.trim().toLowerCase();
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(normal)) {
    const rule = `1 to 64 letters, digits, ".", "_" or "-", and begin with a letter or digit`;
    throw new PromptValidationError(`The ${what} "${name}" must have ${rule}`);
  }
  return normal;
}

/** The key of a section. It has no dots, since dots join keys to a path. */
export function normalizeSectionKey(key: string): string {
  const normal = key.trim().toLowerCase();
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(normal)) {
    const rule = `1 to 64 letters, digits, "_" or "-", and begin with a letter or digit`;
    throw new PromptValidationError(`The section key "${key}" must have ${rule}`, { path: key });
  }
  return normal;
}
