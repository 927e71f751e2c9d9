import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packages, resolveTarget } from "./workspace.ts";

const marked = /(<!-- exports: (\S+) -->\n)[\s\S]*?(<!-- \/exports -->)/g;

/** The names that an entry point re-exports, sorted: values, then types. */
export function exportedNames(source: string): {
  readonly values: readonly string[];
  readonly types: readonly string[];
} {
  const names = [...source.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, type = "", list = ""]) =>
    list.split(",").map((each) => type + each.trim().replace(/^\w+ as /, "")),
  );
  const isType = (name: string) => name.startsWith("type ");
  const sorted = names.filter((name) => !/^(type )?$/.test(name)).sort();
  return {
    values: sorted.filter((name) => !isType(name)),
    types: sorted.filter(isType).map((name) => name.replace(/^(type )+/, "")),
  };
}

/**
 * The text of a document with a list of all that a package exports, where it has a place for one: a new name is a
 * line that a reviewer sees.
 */
export function withExports(document: string): string {
  return document.replace(marked, (_, open: string, short: string, close: string) => {
    const found = packages().find((each) => each.short === short);
    if (found === undefined)
      throw new Error(`There is no package ${short}: correct the mark <!-- exports: ${short} -->`);
    const { dir, manifest } = found;
    const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(" ");
    const rows = Object.entries(manifest.exports ?? {}).map(([entry, target]) => {
      const { values, types } = exportedNames(readFileSync(join(dir, resolveTarget(target, ["bun"]) ?? ""), "utf8"));
      return `- **\`${manifest.name}${entry.slice(1)}\`**: ${code(values)}${types.length === 0 ? "" : `; types ${code(types)}`}`;
    });
    return `${open}\n${rows.join("\n")}\n\n${close}`;
  });
}
