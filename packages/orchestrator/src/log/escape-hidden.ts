/** Characters that a terminal may obey instead of show, or that hide or reorder the text around them. */
const hidden = /(?![\t\n\r ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** JSON with every such character as an escape: the same value, safe to look at. */
export function escapeHidden(json: string): string {
  return json.replace(hidden, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
