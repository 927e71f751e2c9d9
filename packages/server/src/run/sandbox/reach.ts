import { dirname } from "node:path";
import { isWithin } from "../../lib/is-within.ts";
import { type Home, homesOf } from "../../workspace-files/homes.ts";
import { type Resolved, resolvePath } from "../../workspace-files/resolve-path.ts";
import type { Confinement } from "../process/launcher.ts";
import { realPath } from "./existing-path.ts";
import { type Hidden, hiddenFolders } from "./hidden-folders.ts";
import { protectedLinks, protectedPaths } from "./protected-paths.ts";
import type { SandboxOptions } from "./sandbox-options.ts";
import { SandboxUnavailable } from "./unavailable.ts";

/** The paths that a confined command can reach. All are real: no link is followed later. */
export interface Reach {
  /** Writable folders, without nested ones. */
  readonly writable: readonly string[];
  /** Writable folders, with nested ones. */
  readonly roots: readonly string[];
  /** Folders in them that cannot be renamed, because of the paths inside. Outer ones first. */
  readonly anchors: readonly string[];
  /** Paths in them that cannot be written or created. None is nested. */
  readonly readOnly: readonly string[];
  /** Links in them that must keep their targets. */
  readonly links: readonly string[];
  /** Unreadable folders. Writable folders inside stay visible. */
  readonly hidden: readonly Hidden[];
  readonly network: boolean;
  /** The socket of the only way to the network. */
  readonly proxy?: string | undefined;
  readonly tty: boolean;
}

/** Puts a policy in terms of paths. Throws where a folder cannot be opened safely. */
export function reachOf(
  { policy, workspace, readOnly: asked = [], tty, proxy }: Confinement,
  options: SandboxOptions,
): Reach | "full" {
  if (policy.type === "dangerFullAccess" || policy.type === "externalSandbox") return "full";
  const network = policy.networkAccess === true;
  const homes = homesOf(options);
  const hidden = hiddenFolders(homes);
  if (policy.type === "readOnly") {
    // Work below a hidden folder is not hidden.
    const places = workspace.flatMap((path) => realPath(path) ?? []);
    const shown = hidden.map((each) => ({ ...each, shown: [...each.shown, ...places.flatMap(placeIn(each.folder))] }));
    return { writable: [], roots: [], anchors: [], readOnly: [], links: [], hidden: shown, network, proxy, tty };
  }
  const temporary = options.env.TMPDIR;
  const work = [...workspace, ...(policy.writableRoots ?? [])];
  const roots = trustedRoots([
    ...work,
    ...(policy.excludeSlashTmp ? [] : ["/tmp"]),
    ...(policy.excludeTmpdirEnvVar || !temporary ? [] : [temporary]),
  ]);
  const named = new Set(work.flatMap((path) => realPath(path) ?? []));
  const folders = {
    roots,
    projects: roots.filter((root) => named.has(root)),
    user: userHome(options.env.HOME),
    homes: homes.map(({ path }) => path),
    asked,
  };
  const writable = outermost(roots);
  const isHidden = (path: string) => liesHidden(path, roots, hidden);
  const readOnly = outermost(protectedPaths(folders).filter((path) => !isHidden(path)));
  const closed = [...readOnly, ...hidden.map(({ folder }) => folder)];
  const anchors = anchorsOf(writable, roots, closed).filter((path) => !isHidden(path) && !liesIn(path, readOnly));
  const links = [...new Set([...protectedLinks(folders), ...linksToHomes(homes, roots)])];
  return { writable, roots, anchors, readOnly, links, hidden, network, proxy, tty };
}

/** Links to a home that commands could replace. Throws when one leads to a home of this server. */
function linksToHomes(homes: readonly Home[], roots: readonly string[]): string[] {
  return homes.flatMap(({ path, links, isNamed }) => {
    const open = links.filter((link) => liesIn(link, roots));
    if (isNamed && open.length > 0)
      throw new SandboxUnavailable(
        `commands could replace the link ${open[0]}, which leads to the server's home: set QUIRE_HOME or CODEX_HOME to the folder itself, ${path}`,
      );
    return open;
  });
}

const homes = new Map<string, string>();

/** The user's real home, looked up once. */
function userHome(named: string | undefined): string | undefined {
  if (!named) return undefined;
  const known = homes.get(named) ?? realPath(named)?.[0];
  if (known !== undefined) homes.set(named, known);
  return known;
}

const placeIn = (folder: string) => (path: string) =>
  path !== folder && isWithin(path, folder) ? [{ at: path, source: path }] : [];

/** True when a path can be written. Compares text only: resolve links first. */
export function isOpen(path: string, { roots, readOnly, hidden }: Reach): boolean {
  return liesIn(path, roots) && !liesIn(path, readOnly) && !liesHidden(path, roots, hidden);
}

/** True when a path lies in a hidden folder and in no writable one inside it. */
function liesHidden(path: string, roots: readonly string[], hidden: readonly Hidden[]): boolean {
  const around = hidden.filter(({ folder }) => isWithin(path, folder));
  return around.some(
    ({ folder }) => !roots.some((root) => root !== folder && isWithin(root, folder) && isWithin(path, root)),
  );
}

function liesIn(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isWithin(path, folder));
}

/** The real roots. A link inside a root may be a command's attempt to open its target, which does not count. */
function trustedRoots(wanted: readonly string[]): string[] {
  const resolved = wanted.flatMap((path) => resolvePath(path) ?? []);
  const isPlanted = (link: string) => resolved.some(({ path }) => isWithin(link, path));
  const trusted = new Set(resolved.filter(({ links }) => !links.some(isPlanted)).map(({ path }) => path));
  for (const { path, links } of resolved) refuseUnlessCovered({ path, links: links.filter(isPlanted) }, trusted);
  return [...trusted];
}

function refuseUnlessCovered({ path, links: [link] }: Resolved, trusted: ReadonlySet<string>): void {
  if (link === undefined || [...trusted].some((root) => isWithin(path, root))) return;
  throw new SandboxUnavailable(
    `${path} is not opened for writing: the link ${link} that leads there can be replaced by commands; give the folder itself as working folder or writable root`,
  );
}

/** Folders whose renaming would move protected paths: nested roots, and folders between a root and a protected path. */
function anchorsOf(writable: readonly string[], roots: readonly string[], closed: readonly string[]): string[] {
  const nested = roots.filter((root) => !writable.includes(root));
  const anchors = new Set(nested);
  for (const path of [...nested, ...closed]) {
    for (let folder = dirname(path); isInside(folder, writable); folder = dirname(folder)) anchors.add(folder);
  }
  return [...anchors].sort((a, b) => a.length - b.length);
}

function isInside(path: string, folders: readonly string[]): boolean {
  return !folders.includes(path) && folders.some((folder) => isWithin(path, folder));
}

function outermost(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)];
  return unique.filter(
    (path) =>
      !isInside(
        path,
        unique.filter((other) => other !== path),
      ),
  );
}
