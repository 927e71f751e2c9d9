import { isTable, type Table, valueAt } from "../../lib/table.ts";
import type { OpenConfig } from "../open-config.ts";
import { trustLevel } from "../project.ts";
import { textsIn } from "./fingerprint.ts";
import { textWords } from "./words.ts";

/** A client's change of the user's file. */
interface WrittenEdit {
  readonly keyPath: readonly string[];
  readonly value: unknown;
  readonly merge: boolean;
}

/** A write with the state before and after it. */
interface Written {
  readonly edits: readonly WrittenEdit[];
  readonly before: Table;
  readonly after: Table;
  /** Folders in use: the change may name scripts of their projects. */
  readonly folders: readonly string[];
}

/**
 * Updates trust after a client's write: a project set to trusted is trusted as it is now, and a new program with the
 * scripts it names. Values that a client only repeats, such as a whole table for one switch, say nothing about scripts
 * that changed meanwhile.
 */
export function followWrite(config: OpenConfig, { edits, before, after, folders }: Written): void {
  for (const edit of edits) {
    for (const entry of projectsOf(edit, before, after)) {
      if (trustLevel(valueAt(after, ["projects", entry])) === "trusted") config.trust.trust(entry);
      else config.trust.revoke(entry);
    }
  }
  const words = new Set<string>();
  for (const { keyPath, value } of edits) {
    if (keyPath[0] === "projects" || (keyPath[0] === "hooks" && keyPath[1] === "state")) continue;
    const known = new Set(textsIn(valueAt(before, keyPath)));
    for (const text of textsIn(value)) if (!known.has(text)) for (const word of textWords(text)) words.add(word);
  }
  if (words.size > 0) config.trust.trustScripts(words, folders);
}

/** The `[projects]` entries that an edit is about. */
function projectsOf({ keyPath, value, merge }: WrittenEdit, before: Table, after: Table): readonly string[] {
  const [table, entry, key] = keyPath;
  if (table !== "projects") return [];
  if (entry !== undefined) return key === undefined || key === "trust_level" ? [entry] : [];
  const rows = isTable(value) ? Object.keys(value) : [];
  if (merge) return rows;
  // Replacing the whole table repeats what was read: only differences count.
  const old = isTable(before.projects) ? Object.keys(before.projects) : [];
  const level = (values: Table, row: string) => trustLevel(valueAt(values, ["projects", row]));
  return [...new Set([...rows, ...old])].filter((row) => level(before, row) !== level(after, row));
}
