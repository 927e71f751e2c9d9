import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { withAttacks } from "./attacks.ts";
import { withExports } from "./exports.ts";
import { withLayers } from "./layers.ts";
import { filesBelow, packages, root } from "./workspace.ts";

const embedded = /(<!-- example: (\S+) -->\n```tsx?\n)[\s\S]*?(```)/g;

/** All documents of the repository. */
export function documents(): string[] {
  const atRoot = ["README.md", "CONTRIBUTING.md", "AGENTS.md", "CONTEXT.md"].map((file) => join(root, file));
  return [...atRoot, ...filesBelow(join(root, "docs"), ".md"), ...packages().map(({ dir }) => join(dir, "README.md"))];
}

/** The text of a document with its generated parts: examples as their files have them, attacks, layers and exports. */
export function withExamples(document: string): string {
  return withExports(withLayers(withAttacks(document))).replace(
    embedded,
    (_, open: string, file: string, close: string) => {
      return `${open}${readFileSync(join(root, file), "utf8").trim()}\n${close}`;
    },
  );
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
