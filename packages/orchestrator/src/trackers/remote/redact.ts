import { partsOf } from "../../lib/secrets.ts";

/** Longest text that a tool gives to the model. */
const maxText = 256 * 1024;

/** The text without the credential, should the tracker have repeated it, and cut where it is longer than a model can use. */
export function redactForModel(text: string, secret: string): string {
  const clean = withoutSecret(text, secret);
  if (clean.length <= maxText) return clean;
  return `${clean.slice(0, maxText)}\n[cut: the answer has ${clean.length} characters. Ask for less, for example by paging.]`;
}

/** The text without the credential or a part of it, as servers repeat it in errors. */
export function withoutSecret(text: string, secret: string): string {
  let clean = text;
  for (const part of partsOf(secret)) clean = clean.replaceAll(part, "[credential removed]");
  return clean;
}
