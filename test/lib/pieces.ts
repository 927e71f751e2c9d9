import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/workspace.ts";
import { type Snippet, snippetsOf } from "./snippets.ts";

/** The snippets that stand in a document itself, not those embedded from `examples`, with their lines. */
export function ownSnippets(document: string): Snippet[] {
  const embedded = /<!-- example: \S+ -->\n```tsx?\n[\s\S]*?```/g;
  const text = readFileSync(join(root, document), "utf8");
  // Empty lines in their place, so that lines are counted as in the document.
  const own = snippetsOf(text.replace(embedded, (block) => block.replace(/[^\n]/g, "")));
  // Components are run by a page, not by a program.
  return own.filter(({ isTsx }) => !isTsx);
}

/**
 * A program that runs pieces of code one after the other, each in a scope of its own, and prints a line for each: `ok LINE`,
 * or `failed LINE: why`.
 */
export function programOf(prelude: string, pieces: readonly Snippet[]): string {
  const functions = pieces.map(({ line, code }) => `await piece(${line}, async () => {\n${withoutImports(code)}\n});`);
  return `${prelude}\n${runner}\n${functions.join("\n")}\nprocess.exit(0);\n`;
}

/** Milliseconds that a piece may take. */
const mostMs = 15_000;

const runner = `
async function piece(line: number, run: () => Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("it does not end")), ${mostMs});
  });
  try {
    await Promise.race([run(), late]);
    console.log(\`\\nok \${line}\`);
  } catch (error) {
    console.log(\`\\nfailed \${line}: \${error instanceof Error ? error.message.split("\\n")[0] : String(error)}\`);
  } finally {
    clearTimeout(timer);
  }
}`;

/** The same code with imports that may stand within a function. */
function withoutImports(code: string): string {
  return code.replace(/^import (.*) from ("[^"]+");$/gm, (_, what: string, from: string) => {
    const names = what
      .replace(/[{}]/g, "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && !name.startsWith("type "))
      .map((name) => name.replace(" as ", ": "));
    const shape = what.startsWith("{") ? `{ ${names.join(", ")} }` : `{ default: ${what} }`;
    return `const ${shape} = await import(${from});`;
  });
}
