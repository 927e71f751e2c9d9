/** Longest text that a tool gives to the model. */
const maxText = 256 * 1024;

/** The text without the credential, should the tracker have repeated it, and cut where it is longer than a model can use. */
export function forModel(text: string, secret: string): string {
  const clean = secret === "" ? text : text.replaceAll(secret, "[credential removed]");
  if (clean.length <= maxText) return clean;
  return `${clean.slice(0, maxText)}\n[cut: the answer has ${clean.length} characters. Ask for less, for example by paging.]`;
}
