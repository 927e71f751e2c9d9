import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packages, resolveTarget } from "./workspace.ts";

/** The declaration of a name, with `export` before it or not. */
const declared = (name: string) =>
  new RegExp(
    `^(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\\*?|class|enum) ${escaped(name)}\\b`,
    "m",
  );

const escaped = (name: string) => name.replaceAll("$", "\\$");

/**
 * The first sentence of the doc comment of what an entry point exports by a name, wherever it is declared; undefined where
 * it has none.
 */
export function exportDescription(file: string, name: string): string | undefined {
  const source = readFileSync(file, "utf8");
  const at = source.search(declared(name));
  if (at >= 0) return firstSentence(source.slice(0, at));
  for (const [, list = "", from = ""] of source.matchAll(
    /^(?:export|import) (?:type )?\{([^}]*)\} from "([^"]+)";/gm,
  )) {
    const local = originalOf(list, name);
    const target = local && resolved(file, from);
    if (local && target) return exportDescription(target, local);
  }
  for (const [, from = ""] of source.matchAll(/^export \* from "([^"]+)";/gm)) {
    const target = resolved(file, from);
    const found = target && exportDescription(target, name);
    if (found) return found;
  }
  return undefined;
}

/** The name in the other module of what a list calls `name`. */
function originalOf(list: string, name: string): string | undefined {
  for (const each of list.split(",")) {
    const [original = "", alias] = each
      .trim()
      .replace(/^type /, "")
      .split(" as ");
    if ((alias ?? original) === name) return original;
  }
  return undefined;
}

function resolved(file: string, from: string): string | undefined {
  if (from.startsWith(".")) return join(dirname(file), from);
  for (const { dir, manifest } of packages()) {
    const target = manifest.exports?.[`.${from.slice(manifest.name.length)}`];
    if (from.startsWith(manifest.name) && target) return join(dir, resolveTarget(target, ["bun"]) ?? "");
  }
  return undefined;
}

/** The first sentence of the doc comment that ends a text. */
function firstSentence(before: string): string | undefined {
  const trimmed = before.trimEnd();
  if (!trimmed.endsWith("*/")) return undefined;
  const comment = trimmed.slice(trimmed.lastIndexOf("/**") + 3, -2);
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trim());
  const [paragraph = ""] = lines
    .join("\n")
    .trim()
    .split(/\n\n|\n(?:@|```)/);
  const text = paragraph.replace(/\s+/g, " ").replace(/\{@link ([^}]+)\}/g, "`$1`");
  // A dot within a word, a path or a number ends no sentence.
  const [sentence = ""] = text.split(/(?<=[.:])(?= [A-Z`"])|(?<=:)$/);
  return (
    sentence
      .replace(/^@\w+ /, "")
      .replace(/:$/, ".")
      .trim() || undefined
  );
}
