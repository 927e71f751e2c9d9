import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { runCommand } from "../../scripts/lib/run-command.ts";
import { bin, root } from "../../scripts/lib/workspace.ts";

/** A block of TypeScript in a document. */
export interface Snippet {
  /** The first line of the code, counted from 1. */
  readonly line: number;
  readonly code: string;
  /** True for a block of `tsx`. */
  readonly isTsx?: boolean;
}

/** Options of {@link snippetErrors}. */
interface SnippetOptions {
  /** Checks with the types of Bun in place of those of browsers, as programs of servers are. */
  readonly onBun?: boolean;
}

/** The blocks marked as `ts` or `tsx` in a document. */
export function snippetsOf(document: string): Snippet[] {
  return [...document.matchAll(/^```(tsx?)\n([\s\S]*?)^```$/gm)].map(({ index, 1: language, 2: code = "" }) => ({
    line: document.slice(0, index).split("\n").length + 1,
    code,
    ...(language === "tsx" && { isTsx: true }),
  }));
}

/**
 * Checks the types of all snippets of some documents at once and returns what the compiler says, with the line in the
 * document. Each is a module of its own; what `ambient` declares is there without an import.
 */
export async function snippetErrors(
  documents: readonly string[],
  ambient: string,
  { onBun = false }: SnippetOptions = {},
): Promise<string[]> {
  // Within the repository, so that its packages are found.
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache", "snippets-"));
  try {
    for (const document of documents) writeSnippets(folder, document);
    writeFileSync(join(folder, "ambient.d.ts"), ambient);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(onBun ? bunConfig : config));
    const { code, output } = await runCommand(bin("tsc"), ["-p", folder, "--pretty", "false"]);
    const about = output.split("\n").filter((line) => line.includes(basename(folder)) || line.startsWith("error"));
    // Errors in the packages themselves are for the check of the types to tell.
    return code !== 0 && about.length === 0 && !/^packages\//m.test(output) ? [output] : about;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeSnippets(folder: string, document: string): void {
  for (const { line, code, isTsx } of snippetsOf(readFileSync(join(root, document), "utf8"))) {
    const name = `${document.replace(/\W/g, "-")}-${line}.${isTsx ? "tsx" : "ts"}`;
    // Empty lines before it, so that the compiler counts as the document does.
    writeFileSync(join(folder, name), `${"\n".repeat(line - 1)}${code}export {};\n`);
  }
}

const config = {
  extends: "../../tsconfig.base.json",
  compilerOptions: {
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    isolatedDeclarations: false,
    noUnusedLocals: false,
    skipLibCheck: true,
    types: ["node"],
    jsx: "react-jsx",
    lib: ["ES2023", "ESNext.Disposable", "DOM"],
    // The sources, not the compiled output, so that the verdict is about the code at hand.
    customConditions: ["bun"],
  },
  include: ["."],
};

const bunConfig = {
  ...config,
  compilerOptions: { ...config.compilerOptions, types: ["node", "bun"], lib: ["ES2023", "ESNext.Disposable"] },
};
