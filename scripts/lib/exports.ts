import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exportDescription } from "./export-descriptions.ts";
import { type Package, packages, resolveTarget } from "./workspace.ts";

const marked = /(<!-- exports: (\S+) -->\n)[\s\S]*?(<!-- \/exports -->)/g;

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(const|function\*?|class|enum|type|interface) ([\w$]+)/gm;

/** The names that an entry point exports, sorted: values, then types. */
export function exportedNames(source: string): {
  readonly values: readonly string[];
  readonly types: readonly string[];
} {
  const listed = [...source.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, type = "", list = ""]) =>
    list.split(",").map((each) => type + each.trim().replace(/^\w+ as /, "")),
  );
  const declared = [...source.matchAll(declaration)].map(([, kind = "", name = ""]) =>
    kind === "type" || kind === "interface" ? `type ${name}` : name,
  );
  const names = [...listed, ...declared];
  const isType = (name: string) => name.startsWith("type ");
  const sorted = names.filter((name) => !/^(type )?$/.test(name)).sort();
  return {
    values: sorted.filter((name) => !isType(name)),
    types: sorted.filter(isType).map((name) => name.replace(/^(type )+/, "")),
  };
}

/** A value that an entry point exports, with a sentence about it. */
interface ExportedValue {
  readonly name: string;
  /** The first sentence of its doc comment; undefined where it has none. */
  readonly description: string | undefined;
}

/** An entry point of a package, with all that it exports. */
interface EntryExports {
  /** Import path: `@quire/client/view`. */
  readonly path: string;
  readonly values: readonly ExportedValue[];
  readonly types: readonly string[];
}

/** All entry points of a package that are TypeScript. */
export function entryExports({ dir, manifest }: Package): EntryExports[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) => {
    const file = resolveTarget(target, ["bun"]);
    if (!file?.endsWith(".ts")) return [];
    const path = join(dir, file);
    const { values, types } = exportedNames(readFileSync(path, "utf8"));
    const described = values.map((name) => ({ name, description: exportDescription(path, name) }));
    return [{ path: manifest.name + entry.slice(1), values: described, types }];
  });
}

/**
 * The text of a document with tables of all that a package exports, where it has a place for them: a new name is a line
 * that a reviewer sees.
 */
export function withExports(document: string): string {
  return document.replace(marked, (_, open: string, short: string, close: string) => {
    const found = packages().find((each) => each.short === short);
    if (found === undefined)
      throw new Error(`There is no package ${short}: correct the mark <!-- exports: ${short} -->`);
    return `${open}\n${entryExports(found).map(tableOf).join("\n\n")}\n\n${close}`;
  });
}

function tableOf({ path, values, types }: EntryExports): string {
  const rows = values.map(({ name, description = "" }) => `| \`${name}\` | ${description.replaceAll("|", "\\|")} |`);
  const table = rows.length === 0 ? [] : ["", "| name | what it is |", "|---|---|", ...rows];
  const list = types.length === 0 ? [] : ["", `Types: ${types.map((name) => `\`${name}\``).join(" ")}`];
  return [`### ${path}`, ...table, ...list].join("\n");
}
