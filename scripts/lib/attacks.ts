import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { filesBelow, packages } from "./workspace.ts";

/** The attacks of one test file. */
export interface AttackFile {
  /** Its first comment: `/** Attacks: WHAT *\/`. */
  readonly title: string;
  readonly names: readonly string[];
}

const title = /^\/\*\* Attacks: (.+?)\.? \*\/$/m;
/** A call of `attack`, a row of a table of attempts, or a plain test that says what an attacker does: `finds …`. */
const attackName = /(?:\battack\(\s*|\bname: |^test\((?="[a-z]+s ))"((?:[^"\\]|\\.)+)"/gm;

/** Reads which attacks the tests make, from `test/attacks` of each package. Throws for a file that has none. */
export function readAttacks(): AttackFile[] {
  const files = packages().flatMap(({ dir }) => filesBelow(join(dir, "test", "attacks"), ".test.ts"));
  return files.map((file) => {
    const text = readFileSync(file, "utf8");
    const found = title.exec(text)?.[1];
    // An attack is told in words; other things have names too.
    const told = [...text.matchAll(attackName)].filter(([, name]) => name?.includes(" "));
    const names = told.map(([, name]) => JSON.parse(`"${name}"`) as string);
    if (found === undefined) throw new Error(`${basename(file)} must begin with /** Attacks: WHAT. */`);
    if (names.length === 0) throw new Error(`${basename(file)} holds no attack`);
    return { title: found, names };
  });
}

const marked = /(<!-- attacks -->\n)[\s\S]*?(<!-- \/attacks -->)/;

/** The text of a document with the table of attacks in it, where it has a place for one. */
export function withAttacks(document: string): string {
  return document.replace(marked, (_, open: string, close: string) => `${open}\n${table(readAttacks())}\n${close}`);
}

function table(files: readonly AttackFile[]): string {
  const sorted = [...files].sort((a, b) => a.title.localeCompare(b.title));
  const total = sorted.reduce((sum, { names }) => sum + names.length, 0);
  const rows = sorted.flatMap(({ title: area, names }) => names.map((name) => `| ${area} | ${cell(name)} |`));
  return [`${total} attacks:`, "", "| area | attack |", "|---|---|", ...rows, ""].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
