import { isTable, type Table, valueAt } from "../../lib/table.ts";
import type { OpenConfig } from "../open-config.ts";
import { trustLevel } from "../project.ts";
import { textsIn } from "./fingerprint.ts";
import { textWords } from "./words.ts";

/** A change of the user's file that a client has made. */
interface WrittenEdit {
  readonly keyPath: readonly string[];
  readonly value: unknown;
  readonly merge: boolean;
}

/** What was written, and what stood there before. */
interface Written {
  readonly edits: readonly WrittenEdit[];
  readonly before: Table;
  readonly after: Table;
  /** Folders that are worked in: scripts of their projects may be named by what was written. */
  readonly folders: readonly string[];
}

/**
 * Trust follows what a client writes for its user: a project that is set to be trusted is trusted as it is now, also where it
 * was before, and a program that is set up is trusted with the scripts that it names. What a client only repeats, as it does
 * when it writes a whole table for one switch in it, says nothing about scripts that have changed meanwhile.
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

/** The entries of `[projects]` that an edit says something about. */
function projectsOf({ keyPath, value, merge }: WrittenEdit, before: Table, after: Table): readonly string[] {
  const [table, entry, key] = keyPath;
  if (table !== "projects") return [];
  if (entry !== undefined) return key === undefined || key === "trust_level" ? [entry] : [];
  const rows = isTable(value) ? Object.keys(value) : [];
  if (merge) return rows;
  // Who replaces the whole table repeats what it has read: only what is different is said anew.
  const old = isTable(before.projects) ? Object.keys(before.projects) : [];
  const level = (values: Table, row: string) => trustLevel(valueAt(values, ["projects", row]));
  return [...new Set([...rows, ...old])].filter((row) => level(before, row) !== level(after, row));
}
