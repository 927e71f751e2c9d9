import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { withAttacks } from "./attacks.ts";
import { withLayers } from "./layers.ts";
import { filesBelow, packages, root } from "./workspace.ts";

const embedded = /(<!-- example: (\S+) -->\n```ts\n)[\s\S]*?(```)/g;

/** All documents of the repository. */
export function documents(): string[] {
  const atRoot = ["README.md", "CONTRIBUTING.md", "AGENTS.md", "CONTEXT.md"].map((file) => join(root, file));
  return [...atRoot, ...filesBelow(join(root, "docs"), ".md"), ...packages().map(({ dir }) => join(dir, "README.md"))];
}

/** The text of a document with each example as its file has it (examples run in the tests, copies do not), and the attacks that are made. */
export function withExamples(document: string): string {
  return withLayers(withAttacks(document)).replace(embedded, (_, open: string, file: string, close: string) => {
    return `${open}${readFileSync(join(root, file), "utf8").trim()}\n${close}`;
  });
}

/** Brings the examples in all documents up to date and returns the documents that were changed. */
export function embedExamples(): string[] {
  return documents().flatMap((file) => {
    const before = readFileSync(file, "utf8");
    const after = withExamples(before);
    if (after === before) return [];
    writeFileSync(file, after);
    return [relative(root, file)];
  });
}
