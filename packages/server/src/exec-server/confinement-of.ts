import { lstatSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { SandboxPolicy } from "@quire/protocol";
import { isWithin } from "../lib/is-within.ts";
import { invalidParams, invalidRequest } from "../lib/rpc-errors.ts";
import type { Confinement } from "../run/process/launcher.ts";
import { choiceField, type Fields, fieldsOf, pathOf, textField } from "./params.ts";

const full: Confinement = { policy: { type: "dangerFullAccess" }, workspace: [], tty: false };

/**
 * The confinement that a `sandbox` parameter asks for. Throws for one that the sandbox here cannot keep in full:
 * whatever came close would allow more than the caller said.
 */
export function confinementOf(sandbox: unknown, env: Readonly<Record<string, string | undefined>>): Confinement {
  if (sandbox === undefined || sandbox === null) return full;
  const context = fieldsOf(sandbox);
  const permissions = fieldsOf(required(context, "permissions"));
  textField(permissions, "type");
  // What an outer sandbox keeps, the caller has seen to.
  const type = choiceField(permissions, "type", ["managed", "disabled", "external"]);
  if (type !== "managed") return full;
  const network = choiceField(permissions, "network", ["restricted", "enabled"]) === "enabled";
  const files = fieldsOf(required(permissions, "file_system"));
  textField(files, "type");
  if (choiceField(files, "type", ["restricted", "unrestricted"]) === "unrestricted") {
    if (network) return full;
    throw cannot("every file is writable and the network is closed");
  }
  const { entries } = files;
  if (!Array.isArray(entries)) throw invalidParams("missing field `entries`");
  return restricted(entries.map(fieldsOf), { roots: workspaceOf(context), network, env });
}

interface Place {
  readonly roots: readonly string[];
  readonly network: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Paths and names of places, with what is allowed there. */
function restricted(entries: readonly Fields[], { roots, network, env }: Place): Confinement {
  const access = entries.map((entry) => ({ ...placesOf(entry, roots), access: textField(entry, "access"), entry }));
  for (const { access: given, name } of access) {
    if (given !== "read" && given !== "write") throw cannot(`${name} is closed to reading (\`${given}\`)`);
  }
  const everything = access.filter(({ name }) => name === "root");
  if (!everything.some(({ access: given }) => given === "read")) throw cannot("not every file can be read");
  if (everything.some(({ access: given }) => given === "write")) throw cannot("the whole machine is writable");
  const writable = access.filter(({ access: given }) => given === "write");
  const has = (name: string) => writable.some((each) => each.name === name);
  const folders = writable.flatMap(({ paths }) => paths);
  if (writable.length === 0)
    return { policy: { type: "readOnly", networkAccess: network }, workspace: roots, tty: false };
  const policy: SandboxPolicy = {
    type: "workspaceWrite",
    writableRoots: folders,
    networkAccess: network,
    excludeSlashTmp: !has("slash_tmp"),
    excludeTmpdirEnvVar: !has("tmpdir"),
  };
  const open = [
    ...folders,
    ...(has("slash_tmp") ? ["/tmp"] : []),
    ...(has("tmpdir") && env.TMPDIR ? [env.TMPDIR] : []),
  ];
  const readOnly = access
    .filter(({ access: given }) => given === "read")
    .flatMap(({ paths, entry }) => paths.filter((path) => isKept(path, entry)))
    .filter((path) => open.some((folder) => isWithin(path, folder)));
  return { policy, workspace: has("project_roots") ? roots : [], readOnly, tty: false };
}

/** A caller may ask for a path to be kept only where there is something. */
function isKept(path: string, { missing_path_behavior: missing }: Fields): boolean {
  return missing !== "skip" || lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function placesOf(
  entry: Fields,
  roots: readonly string[],
): { readonly name: string; readonly paths: readonly string[] } {
  const place = fieldsOf(required(entry, "path"));
  const type = textField(place, "type");
  if (type === "path") {
    const path = pathOf(textField(place, "path"));
    return { name: path, paths: [path] };
  }
  if (type !== "special") throw cannot(`\`${type}\` names files by a pattern`);
  const value = fieldsOf(required(place, "value"));
  const kind = textField(value, "kind");
  if (kind === "root" || kind === "slash_tmp" || kind === "tmpdir") return { name: kind, paths: [] };
  if (kind !== "project_roots") throw cannot(`the place \`${kind}\` is not known here`);
  if (value.subpath === undefined || value.subpath === null) return { name: kind, paths: roots };
  const below = textField(value, "subpath");
  if (isAbsolute(below) || below.split(/[/\\]/).includes("..")) throw invalidParams(`invalid subpath \`${below}\``);
  return { name: `${kind}/${below}`, paths: roots.map((root) => join(root, below)) };
}

function workspaceOf(context: Fields): readonly string[] {
  const { workspaceRoots } = context;
  if (workspaceRoots === undefined || workspaceRoots === null) return [pathOf(textField(context, "cwd"))];
  if (!Array.isArray(workspaceRoots)) throw invalidParams("invalid type of `workspaceRoots`: expected a sequence");
  return workspaceRoots.map((url) => pathOf(String(url)));
}

function required(fields: Fields, name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name];
  throw invalidParams(`missing field \`${name}\``);
}

function cannot(what: string): Error {
  return invalidRequest(
    `the sandbox of this exec-server cannot keep these permissions: ${what}; ask for permissions that let everything be read, and folders be written`,
  );
}
