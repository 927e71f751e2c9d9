import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { SandboxPolicy } from "@quire/protocol";
import { isTable, mergeTables, ownValue, type Table } from "../lib/table.ts";
import { ConfigError } from "./config-error.ts";

/** A profile of `[permissions]`. */
export interface CustomProfile {
  readonly id: string;
  readonly description: string | null;
  readonly extends: string | null;
}

/** The profiles that a configuration defines, by name. */
export function customProfiles(raw: Table): CustomProfile[] {
  const rows = isTable(raw.permissions) ? Object.entries(raw.permissions) : [];
  return rows
    .filter((row): row is [string, Table] => isTable(row[1]))
    .map(([id, row]) => ({ id, description: text(row.description), extends: text(row.extends) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * The sandbox of a configured profile; `undefined` when there is none of that name. Throws a {@link ConfigError} for
 * one that restricts more than the sandbox can: any substitute would allow more than it says.
 */
export function customPolicy(raw: Table, id: string): SandboxPolicy | undefined {
  const rows = isTable(raw.permissions) ? raw.permissions : {};
  if (!isTable(ownValue(rows, id))) return undefined;
  const refuse = (why: string): never => {
    throw new ConfigError(`permissions.${id}: ${why}`);
  };
  const { filesystem, network } = resolved(rows, id, refuse);
  const access = accesses(isTable(filesystem) ? filesystem : {}, refuse);
  if (access.get(":root") !== "read") refuse('the sandbox cannot keep commands from reading: set ":root" = "read"');
  const hidden = [...access].find(([, mode]) => mode === "deny");
  if (hidden) refuse(`the sandbox cannot keep commands from reading ${hidden[0]}`);
  const networkAccess = networkOf(network, refuse);
  const writable = [...access].filter(([, mode]) => mode === "write").map(([path]) => path);
  if (writable.length === 0) return { type: "readOnly", networkAccess };
  if (!writable.includes(":workspace_roots"))
    refuse('what can be written includes the workspace: set ":workspace_roots" = "write"');
  return {
    type: "workspaceWrite",
    writableRoots: writable.filter((path) => !path.startsWith(":")),
    networkAccess,
    excludeTmpdirEnvVar: !writable.includes(":tmpdir"),
    excludeSlashTmp: !writable.includes(":slash_tmp"),
  };
}

type Refuse = (why: string) => never;

const readEverything = { filesystem: { ":root": "read" }, network: { enabled: false } };
const temporary = { ":tmpdir": "write", ":slash_tmp": "write" };

/** Built-in profiles to extend. */
const builtIn: ReadonlyMap<string, Table> = new Map(
  Object.entries<Table>({
    ":read-only": readEverything,
    ":workspace": mergeTables(readEverything, { filesystem: { ":workspace_roots": "write", ...temporary } }),
  }),
);

function resolved(rows: Table, id: string, refuse: Refuse): Table {
  const chain: Table[] = [];
  const names = new Set<string>();
  for (let name: string | null = id; name !== null; ) {
    if (names.has(name)) refuse(`it extends itself, by way of ${[...names].join(", ")}`);
    names.add(name);
    const row: unknown = builtIn.get(name) ?? ownValue(rows, name);
    if (!isTable(row)) return refuse(`it extends ${name}, which is not there`);
    chain.unshift(row);
    name = text(row.extends);
  }
  return chain.reduce(mergeTables, {});
}

function accesses(table: Table, refuse: Refuse): Map<string, "read" | "write" | "deny"> {
  const found = new Map<string, "read" | "write" | "deny">();
  for (const [key, value] of Object.entries(table)) {
    const path = key.startsWith("~/") ? join(homedir(), key.slice(2)) : key;
    if (!isAbsolute(path) && !path.startsWith(":")) refuse(`${key} is neither absolute nor a name such as ":root"`);
    const whole = isTable(value) ? value["."] : value;
    const parts = isTable(value) ? Object.keys(value).filter((part) => part !== ".") : [];
    if (parts.length > 0) refuse(`parts of ${key} cannot have permissions of their own: ${parts.join(", ")}`);
    if (whole === "none" || whole === "deny") found.set(path, "deny");
    else if (whole === "read" || whole === "write") found.set(path, whole);
    else refuse(`${key} is "read", "write" or "deny"`);
  }
  return found;
}

function networkOf(network: unknown, refuse: Refuse): boolean {
  if (!isTable(network)) return false;
  const limits = Object.keys(network).filter((key) => key !== "enabled");
  if (limits.length > 0) refuse(`the network is open or shut; ${limits.join(", ")} cannot be set here`);
  return network.enabled === true;
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
