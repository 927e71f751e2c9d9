import { dirname, join } from "node:path";
import { identifier, literal, parse, type Source, type SyntaxNode } from "./syntax.ts";

/** Reads a file's text; replaced in tests. */
export type ReadText = (file: string) => string;

/**
 * The names that an entry exports and whose declaration has no doc comment, as `name in file`. Re-exports are followed to
 * the declaration, within the package. Generated files carry no prose and are left out.
 */
export function undocumentedExports(entry: string, read: ReadText): string[] {
  return missingIn(entry, undefined, read);
}

/** @param wanted Only this name; `undefined` for all. */
function missingIn(file: string, wanted: string | undefined, read: ReadText): string[] {
  if (file.includes("/generated/")) return [];
  const source = parse(file, read(file));
  return source.body.flatMap((node) => {
    const from = literal(node.source);
    if (node.type === "ExportAllDeclaration" && from?.startsWith(".")) {
      return missingIn(join(dirname(file), from), wanted, read);
    }
    if (node.type !== "ExportNamedDeclaration") return [];
    if (node.declaration) return missingHere(file, source, node, wanted);
    return specifiers(node).flatMap(({ local, exported }) => {
      if (wanted !== undefined && wanted !== exported) return [];
      if (from === undefined) return missingLocal(file, source, local, read);
      return from.startsWith(".") ? missingIn(join(dirname(file), from), local, read) : [];
    });
  });
}

function missingHere(file: string, source: Source, node: SyntaxNode, wanted: string | undefined): string[] {
  const names = declaredNames(node.declaration as SyntaxNode);
  if (wanted !== undefined && !names.includes(wanted)) return [];
  return isDocumented(source, node) ? [] : names.map((name) => `${name} in ${file}`);
}

/** `export { name };`: declared or imported elsewhere in the same file. */
function missingLocal(file: string, source: Source, name: string, read: ReadText): string[] {
  for (const node of source.body) {
    if (node.type === "ImportDeclaration") {
      const from = literal(node.source);
      const found = specifiers(node).find(({ local }) => local === name);
      if (found && from?.startsWith(".")) return missingIn(join(dirname(file), from), found.exported, read);
      if (found) return [];
    } else if (declaredNames(node).includes(name)) {
      return isDocumented(source, node) ? [] : [`${name} in ${file}`];
    }
  }
  return [];
}

/** For an import, `exported` is the name in the other module. */
function specifiers(node: SyntaxNode): { local: string; exported: string }[] {
  const nameOf = (value: unknown) => identifier(value) ?? literal(value) ?? "";
  return (node.specifiers as SyntaxNode[]).map((each) => ({
    local: nameOf(each.local),
    exported: nameOf(each.exported ?? each.imported),
  }));
}

function declaredNames(declaration: SyntaxNode): string[] {
  if (declaration.type !== "VariableDeclaration")
    return [identifier(declaration.id)].filter((name) => name !== undefined);
  return (declaration.declarations as SyntaxNode[]).flatMap((each) => identifier(each.id) ?? []);
}

/** A doc comment ends right before the declaration, but for white space. */
function isDocumented({ text, docEnds }: Source, node: SyntaxNode): boolean {
  return docEnds.has(text.slice(0, node.start).trimEnd().length);
}
