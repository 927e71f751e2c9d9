import { visibleText } from "@quire/protocol";

/** Text that is HTML already. */
export interface Markup {
  readonly text: string;
}

/** HTML from a template; every value is escaped unless it is {@link Markup} itself. */
export function html(strings: TemplateStringsArray, ...values: readonly (string | number | Markup)[]): Markup {
  const parts = strings.map((part, index) => {
    const value = values[index];
    if (value === undefined) return part;
    return part + (typeof value === "object" ? value.text : escapeHtml(String(value)));
  });
  return { text: parts.join("") };
}

/** Several pieces as one. */
export function raw(pieces: readonly Markup[]): Markup {
  return { text: pieces.map(({ text }) => text).join("") };
}

const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  }),
);

/** Escapes HTML, and marks characters that reorder or hide text: one issue's title must not pass for another's. */
function escapeHtml(text: string): string {
  return visibleText(text, { prose: true }).replace(/[&<>"']/g, (character) => entities.get(character) ?? character);
}
