import { isBuiltin } from "node:module";
import { dirname, join } from "node:path/posix";
import type { Manifest } from "../../scripts/lib/workspace.ts";
import { importsOf } from "./syntax.ts";

/** Packages of this workspace that the sources of a package may import. A new package needs a row here. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  jsonrpc: [],
  protocol: ["jsonrpc"],
  client: ["jsonrpc", "protocol"],
  server: ["jsonrpc", "protocol"],
  agent: ["jsonrpc", "protocol", "client"],
  orchestrator: ["jsonrpc", "protocol", "client", "agent"],
  gateway: ["jsonrpc", "protocol", "client"],
  web: ["jsonrpc", "protocol", "client"],
  cli: ["jsonrpc", "protocol", "client", "server", "agent", "orchestrator", "gateway", "web"],
  react: ["client"],
  testkit: ["jsonrpc", "protocol"],
};

/** Packages that may use what only Bun has. The others also run on Node. */
const onBunOnly: readonly string[] = ["server", "gateway", "orchestrator", "web", "cli"];

/** Input of the rules. */
export interface Workspace {
  /** Text of source files by path from the root: `packages/jsonrpc/src/index.ts`. */
  readonly files: ReadonlyMap<string, string>;
  /** Manifests by folder name: `jsonrpc`. */
  readonly manifests: ReadonlyMap<string, Manifest>;
}

/** Reports each import that breaks a rule. */
export function layeringViolations({ files, manifests }: Workspace): string[] {
  return [...files].flatMap(([path, text]) => {
    const [, short = ""] = path.split("/");
    const manifest = manifests.get(short);
    if (!manifest || !allowed[short]) return [`${path}: the package ${short} has no place in the layering`];
    return importsOf(path, text).flatMap((request) => {
      const problem = problemOf(request, path, short, manifest);
      return problem === undefined ? [] : [`${path} imports "${request}": ${problem}`];
    });
  });
}

function problemOf(request: string, path: string, short: string, manifest: Manifest): string | undefined {
  if (request.startsWith(".")) {
    const source = `packages/${short}/src/`;
    return join(dirname(path), request).startsWith(source) ? undefined : `it leaves ${source}`;
  }
  if (request.startsWith("#")) return manifest.imports?.[request] ? undefined : "package.json has no such import";
  if (request.startsWith("node:")) return undefined;
  if (request === "bun" || request.startsWith("bun:")) {
    return onBunOnly.includes(short) ? undefined : `${short} also runs on Node`;
  }
  const name = request
    .split("/")
    .slice(0, request.startsWith("@") ? 2 : 1)
    .join("/");
  return againstDirection(name, short) ?? unlisted(name, manifest);
}

function againstDirection(name: string, short: string): string | undefined {
  if (!name.startsWith("@quire/")) return undefined;
  const target = name.slice("@quire/".length);
  if (target === short) return "a package does not import itself";
  return allowed[short]?.includes(target) ? undefined : `${short} must not depend on ${target}`;
}

function unlisted(name: string, manifest: Manifest): string | undefined {
  const { dependencies, peerDependencies, optionalDependencies } = manifest;
  const listed = { ...dependencies, ...peerDependencies, ...optionalDependencies };
  if (name in listed) return undefined;
  return isBuiltin(name) ? `write "node:${name}"` : "package.json does not list it as a dependency";
}
