/** A text of the protocol's tables: the same in both surfaces, or one for each. */
export type Entry = string | readonly [stable: string | null, experimental: string | null];

/** The rows of one surface. */
export function pick(table: Readonly<Record<string, Entry>>, experimental: boolean): Map<string, string> {
  const rows = new Map<string, string>();
  for (const [name, entry] of Object.entries(table)) {
    const text = typeof entry === "string" ? entry : entry[experimental ? 1 : 0];
    if (text !== null) rows.set(name, text);
  }
  return rows;
}
