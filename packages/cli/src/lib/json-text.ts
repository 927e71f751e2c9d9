/** Characters that JSON leaves as they are and a terminal acts on: one-byte escape sequences, and what reorders text. */
const unsafeCharacters = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** JSON that means the same to a program, and that a terminal shows as it is. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? "null";
  return text.replace(unsafeCharacters, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
