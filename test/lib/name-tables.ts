import { parse, type SyntaxNode, walk } from "./syntax.ts";

const isNode = (value: unknown): value is SyntaxNode => typeof value === "object" && value !== null && "type" in value;

/** True for `Record<string, …>`, with or without `Readonly` around it. */
function isNameTable(text: string): boolean {
  return /^:\s*((Readonly|Partial)<)*Record<string,/.test(text);
}

/** True if the table is written out in full. An empty or copied one is filled with names later. */
function isWritten({ type, properties }: SyntaxNode): boolean {
  const rows = type === "ObjectExpression" ? (properties as SyntaxNode[]) : [];
  return rows.length > 0 && rows.every((row) => row.type === "Property");
}

/**
 * Tables of a file that are looked up by names which are not written there. Such a name may come from a client, a model or a
 * repository, and every plain object knows `constructor`.
 */
export function nameTableViolations(file: string, text: string): string[] {
  const { body } = parse(file, text);
  const tables = new Set<string>();
  walk(body, (node) => {
    if (node.type !== "VariableDeclarator" || !isNode(node.id) || !isNode(node.init)) return;
    const { typeAnnotation, name } = node.id;
    if (!isNode(typeAnnotation) || !isNameTable(text.slice(typeAnnotation.start, typeAnnotation.end))) return;
    if (isWritten(node.init)) tables.add(String(name));
  });
  const found: string[] = [];
  walk(body, (node, around) => {
    if (node.type !== "MemberExpression" || node.computed !== true) return;
    if (around.at(-1)?.type === "AssignmentExpression" && around.at(-1)?.left === node) return;
    const { object, property } = node;
    if (!isNode(object) || object.type !== "Identifier" || !tables.has(String(object.name))) return;
    if (isNode(property) && property.type === "Literal") return;
    const line = text.slice(0, node.start).split("\n").length;
    found.push(`${file}:${line} looks ${String(object.name)} up by any name: make it a Map`);
  });
  return found;
}
