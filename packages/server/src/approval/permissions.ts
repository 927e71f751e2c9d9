import { isAbsolute, normalize, resolve } from "node:path";
import type { AdditionalFileSystemPermissions, RequestPermissionProfile } from "@quire/protocol";
import { isWithin } from "../lib/is-within.ts";
import { pathWithoutLinks } from "../workspace-files/real-path.ts";

/** Access beyond what a sandbox gives. Paths are absolute, without `..` and, when they were asked for, without links. */
export interface Permissions {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly network: boolean;
}

/** No access. */
export const noPermissions: Permissions = { read: [], write: [], network: false };

/** Maximum paths of one request or grant. */
const maxPaths = 256;

/** Reads what a model asks for: `file_system` with `read` and `write`, `network` with `enabled`. Throws what does not fit. */
export function readRequested(value: unknown, cwd: string): Permissions {
  const { file_system, network } = fields(value, "permissions");
  const files = fields(file_system ?? {}, "file_system");
  const { enabled } = fields(network ?? {}, "network");
  if (enabled !== undefined && enabled !== null && typeof enabled !== "boolean")
    throw new Error("`enabled` is true or false");
  const paths = (name: string) => texts(files[name] ?? [], name).map((path) => pathWithoutLinks(resolve(cwd, path)));
  return { read: paths("read"), write: paths("write"), network: enabled === true };
}

/** The permissions that still hold: a link in place of a path leads where nobody has agreed to. */
export function withoutReplaced(permissions: Permissions): Permissions {
  const stays = (path: string) => pathWithoutLinks(path) === path;
  return { ...permissions, read: permissions.read.filter(stays), write: permissions.write.filter(stays) };
}

/** The granted part of a request: nothing more, whatever the client says. */
export function readGranted(value: unknown, requested: Permissions): Permissions {
  const { fileSystem, network } = loose(value);
  const files = loose(fileSystem);
  const entries = Array.isArray(files.entries) ? files.entries.map(loose) : [];
  const listed = (access: "read" | "write") => {
    const named = entries.filter((entry) => entry.access === access).map(({ path }) => loose(path).path);
    const given = [...(Array.isArray(files[access]) ? (files[access] as unknown[]) : []), ...named];
    return unique(given.flatMap((path) => (typeof path === "string" && isAbsolute(path) ? normalize(path) : [])));
  };
  const within = (paths: readonly string[], asked: readonly string[]) =>
    paths.filter((path) => asked.some((folder) => isWithin(path, folder))).slice(0, maxPaths);
  return {
    read: within(listed("read"), [...requested.read, ...requested.write]),
    write: within(listed("write"), requested.write),
    network: requested.network && loose(network).enabled === true,
  };
}

/** Permissions as the wire shows them. */
export function toProfile({ read, write, network }: Permissions): RequestPermissionProfile {
  const entry = (access: "read" | "write") => (path: string) => ({ path: { type: "path" as const, path }, access });
  const fileSystem: AdditionalFileSystemPermissions = {
    read: orNull(read),
    write: orNull(write),
    entries: [...read.map(entry("read")), ...write.map(entry("write"))],
  };
  return {
    network: network ? { enabled: true } : null,
    fileSystem: isEmpty({ read, write, network: false }) ? null : fileSystem,
  };
}

/** Permissions in the format for the model. */
export function toModelFormat({ read, write, network }: Permissions): object {
  const files = { ...(read.length > 0 && { read }), ...(write.length > 0 && { write }) };
  return { network: network ? { enabled: true } : null, file_system: Object.keys(files).length > 0 ? files : null };
}

export function isEmpty({ read, write, network }: Permissions): boolean {
  return read.length === 0 && write.length === 0 && !network;
}

/** The union of two permissions. */
export function union(a: Permissions, b: Permissions): Permissions {
  return {
    read: unique([...a.read, ...b.read]),
    write: unique([...a.write, ...b.write]),
    network: a.network || b.network,
  };
}

/** True when all of `wanted` is given. Reading always is: no sandbox prevents it. */
export function covers(given: Permissions, wanted: Permissions): boolean {
  return (
    (given.network || !wanted.network) &&
    wanted.write.every((path) => given.write.some((folder) => isWithin(path, folder)))
  );
}

function fields(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Error(`\`${name}\` is an object`);
}

function texts(value: unknown, name: string): readonly string[] {
  if (!Array.isArray(value) || value.some((path) => typeof path !== "string" || path === "")) {
    throw new Error(`\`${name}\` is a list of paths`);
  }
  if (value.length > maxPaths) throw new Error(`\`${name}\` has more than ${maxPaths} paths`);
  return value;
}

function loose(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

const orNull = (paths: readonly string[]): string[] | null => (paths.length > 0 ? [...paths] : null);
