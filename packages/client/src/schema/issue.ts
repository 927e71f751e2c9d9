import type { StandardIssue } from "./standard-schema.ts";

/** A reason why a value does not fit a schema. */
export interface SchemaIssue {
  /** The path to the value, such as `items[0].name`; empty for the value itself. */
  readonly path: string;
  /** The problem there. */
  readonly message: string;
}

/** Appends a key to a path. */
function joinPath(path: string, key: PropertyKey): string {
  if (typeof key === "number") return `${path}[${key}]`;
  const name = String(key);
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}

/** Converts the issue of a Standard Schema. */
export function toIssue({ path = [], message }: StandardIssue): SchemaIssue {
  const keys = path.map((part) => (typeof part === "object" ? part.key : part));
  return { path: keys.reduce<string>(joinPath, ""), message };
}

/** Lists issues, one per line, for a model or a person to read. */
export function formatIssues(issues: readonly SchemaIssue[]): string {
  return issues.map(({ path, message }) => (path === "" ? `- ${message}` : `- ${path}: ${message}`)).join("\n");
}
