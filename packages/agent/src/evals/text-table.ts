/** Characters of a cell that are shown. */
const mostCell = 60;

/** A table of text in columns. Cells are one line each: what a model wrote moves no cursor. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map(cell));
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all
    .map((row) =>
      row
        .map((each, column) => each.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A text on one line, without control characters. */
export function cell(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
  return line.length > mostCell ? `${line.slice(0, mostCell - 1)}…` : line;
}
