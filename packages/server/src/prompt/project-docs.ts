import { dirname, join, resolve } from "node:path";
import type { EffectiveConfig } from "../config/effective-config.ts";
import type { FileCache } from "../workspace-files/file-cache.ts";
import { isPlaceholder } from "../workspace-files/placeholder.ts";
import type { Root } from "../workspace-files/root.ts";

/** Project instructions and the files they come from. */
export interface ProjectDocs {
  readonly text: string;
  readonly sources: readonly string[];
  /** Complaints about files that were cut, for the user. */
  readonly warnings: readonly string[];
}

const override = "AGENTS.override.md";
const standard = "AGENTS.md";
/** The limit of the user's own instructions. */
const maxHomeBytes = 1024 * 1024;
/** Folders visited from cwd up to the root. */
const maxDepth = 100;

/** The settings that project instructions depend on. */
export interface ProjectDocsRequest {
  readonly cwd: string;
  readonly home: string;
  readonly config: Pick<EffectiveConfig, "projectDocMaxBytes" | "projectDocFallbacks" | "raw">;
}

/**
 * The user's instructions from the home, then the project's from its root down to cwd, the nearest last. In each folder
 * AGENTS.override.md replaces AGENTS.md, and fallbacks replace both. The project's are cut at the byte limit, at a
 * whole character. A link in a project counts only while it stays in it.
 */
export function projectDocs(files: FileCache, { cwd, home, config }: ProjectDocsRequest): ProjectDocs {
  const sources: string[] = [];
  const homeRoot = { path: home, trusted: true };
  const own = take(files, [home], { names: [override, standard], root: homeRoot, limit: maxHomeBytes, sources });
  const names = [override, standard, ...config.projectDocFallbacks];
  const folders = config.projectDocMaxBytes > 0 ? projectChain(files, cwd, rootMarkers(config.raw)) : [];
  const root = { path: folders[0] ?? cwd };
  const warnings: string[] = [];
  const limit = config.projectDocMaxBytes;
  const cut = (path: string, bytes: { readonly read: number; readonly size: number }) =>
    warnings.push(
      `Loaded only ${bytes.read} of ${bytes.size} bytes from \`${path}\`: project instructions may have ${limit} bytes in all. Shorten them, or raise \`project_doc_max_bytes\`.`,
    );
  const project = take(files, folders, { names, root, limit, sources, cut });
  const parts = [own, project].filter((part) => part !== "");
  return { text: parts.join("\n\n--- project-doc ---\n\n"), sources, warnings };
}

interface Taking {
  readonly names: readonly string[];
  readonly root: Root;
  readonly limit: number;
  readonly sources: string[];
  /** Called for a file that does not fit. */
  cut?(path: string, bytes: { readonly read: number; readonly size: number }): void;
}

function take(files: FileCache, folders: readonly string[], { names, root, limit, sources, cut }: Taking): string {
  const docs: string[] = [];
  let left = limit;
  for (const folder of folders) {
    if (left <= 0) break;
    for (const name of names) {
      const bytes = readable(files, join(folder, name), root);
      if (bytes === undefined) continue;
      const part = wholeCharacters(bytes, left).trim();
      if (bytes.length > left) cut?.(join(folder, name), { read: left, size: bytes.length });
      left -= bytes.length;
      if (part !== "") {
        docs.push(part);
        sources.push(join(folder, name));
      }
      break;
    }
  }
  return docs.join("\n\n");
}

/** An unreadable file is skipped: a turn must not fail for it. */
function readable(files: FileCache, path: string, root: Root): Uint8Array | undefined {
  try {
    return files.bytes(path, root);
  } catch {
    return undefined;
  }
}

/** The folders from the project's root down to cwd; cwd alone where no root is found. */
export function projectChain(files: FileCache, cwd: string, markers: readonly string[]): string[] {
  const folders: string[] = [];
  let folder = resolve(cwd);
  for (let depth = 0; depth < maxDepth; depth++) {
    folders.unshift(folder);
    const at = folder;
    const isMarker = (path: string) => files.exists(path) && !isPlaceholder(path);
    if (markers.some((marker) => isMarker(join(at, marker)))) return folders;
    const parent = dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  return [resolve(cwd)];
}

/** The names that mark the root of a project. */
export function rootMarkers(raw: Readonly<Record<string, unknown>>): readonly string[] {
  const markers = raw.project_root_markers;
  return Array.isArray(markers) ? markers.filter((marker) => typeof marker === "string") : [".git"];
}

function wholeCharacters(bytes: Uint8Array, limit: number): string {
  let end = Math.min(bytes.length, limit);
  // The cut may fall inside a character; its first bytes are left out.
  if (end < bytes.length) while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return new TextDecoder().decode(bytes.subarray(0, end));
}
