import { terminalText } from "./terminal-text.ts";

/** Rows as aligned columns, the last one unpadded. What would break a row or hide in it is made visible. */
export function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => terminalText(cell, { oneLine: true, prose: true })));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, Bun.stringWidth(cell));
  }
  const padded = (cell: string, index: number) => cell + " ".repeat((widths[index] ?? 0) - Bun.stringWidth(cell));
  const line = (row: readonly string[]) =>
    row.map((cell, index) => (index === row.length - 1 ? cell : padded(cell, index))).join("  ");
  return cells.map((row) => `${line(row).trimEnd()}\n`).join("");
}
