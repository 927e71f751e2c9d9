import { PromptValidationError } from "../lib/prompt-errors.ts";

const placeholder = /\$(?:(\$)|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\}|)/g;

/** Takes off the indentation that all lines share, and blank space at both ends: templates are written within code. */
export function dedent(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  // The first line comes right after the opening quote, so it has no indentation to go by.
  const indents = lines
    .slice(1)
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  const first = lines[0] ?? "";
  const firstIndent = first.trim() === "" ? [] : [first.length - first.trimStart().length];
  const least = Math.min(...(indents.length > 0 ? indents : firstIndent));
  const cut = (line: string) =>
    line.trim() === "" ? "" : line.slice(Math.min(least, line.length - line.trimStart().length));
  return lines.map(cut).join("\n").trim();
}

/**
 * The names of a template's placeholders: `$name` or `${name}`. `$$` stands for a dollar sign.
 *
 * @param path The section's, for the error that a stray dollar sign is.
 */
export function placeholdersIn(template: string, path: string): readonly string[] {
  return [...template.matchAll(placeholder)].flatMap(([whole, dollar, bare, braced]) => {
    if (dollar !== undefined) return [];
    const name = bare ?? braced;
    if (name !== undefined) return [name];
    const message = `A dollar sign in section "${path}" begins no placeholder: write $$ for a dollar sign`;
    throw new PromptValidationError(message, { path, placeholder: whole });
  });
}

/** Replaces placeholders with values. A value is inserted as it is: dollar signs in it mean nothing. */
export function substitute(template: string, lookUp: (name: string) => unknown): string {
  return template.replaceAll(placeholder, (_, dollar?: string, bare?: string, braced?: string) =>
    dollar !== undefined ? "$" : toText(lookUp(bare ?? braced ?? "")),
  );
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Makes a text that a template renders as it is. */
export function escapeTemplate(text: string): string {
  return text.replaceAll("$", "$$$$");
}
