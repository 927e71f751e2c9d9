import { banner, importLine } from "./emit-types.ts";
import type { Method, Model } from "./model.ts";
import type { Kind } from "./surface.ts";

interface TableOptions {
  readonly kind: Kind;
  readonly name: string;
  readonly doc: string;
}

const tables: readonly TableOptions[] = [
  { kind: "clientRequest", name: "ClientRequests", doc: "Requests that a client sends to the server." },
  { kind: "clientNotification", name: "ClientNotifications", doc: "Params of the notifications that a client sends." },
  { kind: "serverRequest", name: "ServerRequests", doc: "Requests that the server sends to a client." },
  {
    kind: "serverNotification",
    name: "ServerNotifications",
    doc: "Params of the notifications that the server sends.",
  },
];

const names = `/** The name of any request, of either side. */
export type RequestName = keyof ClientRequests | keyof ServerRequests;

/** The name of any method: requests and notifications of both sides. No name is used twice. */
export type MethodName = RequestName | keyof ClientNotifications | keyof ServerNotifications;
`;

/** Prints the tables of methods as types. */
export function emitMethodTypes(model: Model): string {
  const used = new Set(model.methods.flatMap(({ params, result }) => [params, result]));
  const groups = [...new Set(model.groups.values())].sort();
  const imports = groups.map((group) => {
    const names = [...used].filter((name): name is string => name !== null && model.groups.get(name) === group).sort();
    return names.length === 0 ? "" : importLine(names, `./${group}.ts`);
  });
  const blocks = tables.map(({ kind, name, doc }) => {
    const rows = model.methods.filter((method) => method.kind === kind).map(typeRow);
    return `/** ${doc} */\nexport interface ${name} {\n${rows.join("\n")}\n}\n`;
  });
  return [banner, imports.join(""), ...blocks, names].join("\n");
}

function typeRow(method: Method): string {
  const mark = method.experimental ? "  /** @experimental */\n" : "";
  const type =
    method.result === null ? paramsType(method) : `{ params: ${paramsType(method)}; result: ${method.result} }`;
  return `${mark}  ${JSON.stringify(method.method)}: ${type};`;
}

function paramsType({ params, optional }: Method): string {
  if (params === null) return "null | undefined";
  return optional ? `${params} | null | undefined` : params;
}

/** Prints the table of methods as data, one row on one line. */
export function emitMethodRows(model: Model, since: ReadonlyMap<string, string>): string {
  const rows = model.methods.map((method) => `  ${JSON.stringify(method.method)}: ${dataRow(method, since)},`);
  return [
    banner,
    'import type { MethodRow } from "../lib/method-row.ts";',
    'import type { MethodName } from "./method-types.ts";\n',
    "/** What is known of each method, by its name. */",
    `export const methods: { readonly [M in MethodName]: MethodRow } = {\n${rows.join("\n")}\n};\n`,
  ].join("\n");
}

function dataRow(method: Method, since: ReadonlyMap<string, string>): string {
  const { params, optional, result, experimental, experimentalFields, scope } = method;
  const fields = {
    from: method.kind.startsWith("client") ? "client" : "server",
    kind: method.kind.endsWith("Request") ? "request" : "notification",
    params,
    ...(optional ? { optional: true } : {}),
    result,
    stability: experimental ? "experimental" : "stable",
    ...(experimentalFields.length > 0 ? { experimentalFields } : {}),
    since: since.get(method.method),
    scope,
  };
  return printValue(fields);
}

/** Prints a value as a TypeScript literal on one line. */
export function printValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, field]) => `${quoteKey(key)}: ${printValue(field)}`);
  return `{ ${fields.join(", ")} }`;
}

const quoteKey = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));
