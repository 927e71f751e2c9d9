import { parseSync } from "oxc-parser";

/** A node of the syntax tree, as far as the rules here look into it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** A parsed file. */
export interface Source {
  readonly body: readonly SyntaxNode[];
  /** End offsets of doc comments. */
  readonly docEnds: ReadonlySet<number>;
  readonly text: string;
}

/** Parses TypeScript or JavaScript. Throws on a syntax error. */
export function parse(file: string, text: string): Source {
  const { program, comments, errors } = parseSync(file, text);
  const [error] = errors;
  if (error) throw new Error(`${file}: ${error.message}`);
  const docs = comments.filter((comment) => comment.type === "Block" && comment.value.startsWith("*"));
  return {
    body: program.body as unknown as SyntaxNode[],
    docEnds: new Set(docs.map((comment) => comment.end)),
    text,
  };
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** Visits every node with the nodes around it, outermost first. */
export function walk(
  nodes: readonly SyntaxNode[],
  visit: (node: SyntaxNode, around: readonly SyntaxNode[]) => void,
): void {
  const around: SyntaxNode[] = [];
  const go = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const each of value) go(each);
    } else if (isNode(value)) {
      visit(value, around);
      around.push(value);
      for (const child of Object.values(value)) if (typeof child === "object") go(child);
      around.pop();
    }
  };
  go(nodes);
}

/** True if a function, block or module binds this name itself, as a parameter or by a declaration. */
export function binds(scope: SyntaxNode, name: string): boolean {
  const statements = Array.isArray(scope.body) ? (scope.body as SyntaxNode[]) : [];
  const declared = statements.flatMap((statement) => {
    if (statement.type !== "VariableDeclaration") return [statement.id];
    return (statement.declarations as SyntaxNode[]).map((each) => each.id);
  });
  let found = false;
  walk([...declared, scope.params].flat().filter(isNode), (node) => {
    found ||= identifier(node) === name;
  });
  return found;
}

/** The value of a string literal. */
export function literal(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === "TSLiteralType") return literal(node.literal);
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

/** The name of an identifier. */
export const identifier = (node: unknown): string | undefined =>
  isNode(node) && node.type === "Identifier" ? (node.name as string) : undefined;

/** Every module that a file names: imports, exports, dynamic imports, type imports and `require`. */
export function importsOf(file: string, text: string): string[] {
  const found: string[] = [];
  walk(parse(file, text).body, (node) => {
    const request = requestOf(node);
    if (request !== undefined) found.push(request);
  });
  return found;
}

function requestOf(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return literal(node.source ?? node.argument);
    case "CallExpression":
      return identifier(node.callee) === "require" ? literal((node.arguments as unknown[])[0]) : undefined;
    default:
      return undefined;
  }
}
