import { readFileSync } from "node:fs";
import { join } from "node:path";
import { methods } from "@quire/protocol/methods";
import { schemaOf } from "@quire/protocol/validate";
import { parseSync } from "oxc-parser";
import { filesBelow, root } from "../workspace.ts";
import { writtenHelpers } from "./written-helpers.ts";

interface SyntaxNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A mention of a method's name in the client's sources: its function, and the class or function around that. */
interface Mention {
  readonly method: string;
  readonly outer: string;
  readonly inner: string;
}

const classes: Readonly<Record<string, string>> = {
  CodexClient: "codex",
  ClientCore: "codex",
  ThreadHandle: "thread",
  FileSystem: "fs",
};

/** Helpers of the client for each method besides `request` and `onNotification`, which take every name. */
export function namedHelpers(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  const add = (method: string, helper: string) => found.set(method, (found.get(method) ?? new Set()).add(helper));
  for (const mention of mentions()) {
    const helper = helperOf(mention);
    if (helper !== undefined) add(mention.method, helper);
  }
  for (const [method, helpers] of Object.entries(writtenHelpers)) for (const helper of helpers) add(method, helper);
  for (const [method, row] of Object.entries(methods)) {
    if (row.from === "server" && row.kind === "notification" && namesTurn(row.params)) {
      add(method, `turn event \`${method.replace(/^item\/(?=[^/]+\/)/, "").replaceAll("/", ".")}\``);
    }
  }
  return new Map([...found].map(([method, helpers]) => [method, [...helpers]]));
}

/** Requests that the client's sources name and for which there is no helper: one is missing in `written-helpers.ts`. */
export function namelessRequests(): string[] {
  const named = namedHelpers();
  const isRequest = (method: string) => methods[method as keyof typeof methods].kind === "request";
  return [...new Set(mentions().map(({ method }) => method))].filter((each) => isRequest(each) && !named.has(each));
}

function helperOf({ method, outer, inner }: Mention): string | undefined {
  if (outer === "translations") return `event \`${method.replaceAll("/", ":")}\``;
  const { from, kind } = methods[method as keyof typeof methods];
  if (inner.startsWith("#") || inner === "") return undefined;
  const group = /^([a-z]+)Of$/.exec(outer)?.[1];
  if (group !== undefined) return `\`${group}.${inner}\``;
  const owner = classes[outer];
  return owner !== undefined && from === "client" && kind === "request" ? `\`${owner}.${inner}\`` : undefined;
}

/** A turn's events are the notifications that name their turn. */
function namesTurn(params: string | null): boolean {
  const schema = params === null ? undefined : schemaOf(params);
  if (typeof schema !== "object") return false;
  const { properties = {}, required = [] } = schema as { properties?: Record<string, unknown>; required?: string[] };
  return required.includes("turnId") || ("turn" in properties && required.includes("turn"));
}

function mentions(): Mention[] {
  return filesBelow(join(root, "packages", "client", "src"), ".ts").flatMap((file) => {
    const found: Mention[] = [];
    for (const node of parseSync(file, readFileSync(file, "utf8")).program.body) {
      collect(node as unknown as SyntaxNode, [], found);
    }
    return lastOfEach(found);
  });
}

/** Of the methods that one function calls, it is a helper for the last: the others prepare it. */
function lastOfEach(found: readonly Mention[]): Mention[] {
  const isShared = ({ outer }: Mention) => classes[outer] === undefined;
  return found.filter(
    (each, index) => isShared(each) || !found.slice(index + 1).some((other) => sameFunction(each, other)),
  );
}

const sameFunction = (a: Mention, b: Mention): boolean => a.outer === b.outer && a.inner === b.inner;

function collect(node: unknown, names: readonly string[], found: Mention[]): void {
  if (Array.isArray(node)) {
    for (const each of node) collect(each, names, found);
    return;
  }
  if (!isNode(node)) return;
  const { type, value } = node;
  if (type === "Literal" && typeof value === "string" && Object.hasOwn(methods, value)) {
    const [outer = "", inner = ""] = names;
    found.push({ method: value, outer, inner });
  }
  const name = nameOf(node);
  const inside = name === undefined ? names : [...names, name];
  for (const child of Object.values(node)) collect(child, inside, found);
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

function nameOf({ type, key, id }: SyntaxNode): string | undefined {
  const named = /^(Property|MethodDefinition|PropertyDefinition)$/.test(type)
    ? key
    : /^(FunctionDeclaration|VariableDeclarator|ClassDeclaration)$/.test(type)
      ? id
      : undefined;
  if (!isNode(named)) return undefined;
  const name = typeof named.name === "string" ? named.name : typeof named.value === "string" ? named.value : undefined;
  return named.type === "PrivateIdentifier" ? `#${name}` : name;
}
