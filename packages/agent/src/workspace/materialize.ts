import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { copyFile } from "./copy-file.ts";
import type { FullMount } from "./host-mount.ts";
import { type HostMountPreview, mostPreviewEntries } from "./mount-preview.ts";
import { type MountPlan, scanMount } from "./scan-mount.ts";
import { WorkspaceBudgetExceededError } from "./workspace-error.ts";

/** The mounts to copy, and their limits. */
export interface CopyRequest {
  readonly mounts: readonly FullMount[];
  /** Resolved folders that mounts must lie in; none means anywhere. */
  readonly roots: readonly string[];
  readonly maxTotalBytes: number | null;
  /** Hears of each file before it is copied. */
  readonly onFile: ((path: string) => void | Promise<void>) | undefined;
}

/** Copies all mounts into a folder, which the caller removes where this rejects. */
export async function copyMounts(folder: string, request: CopyRequest): Promise<HostMountPreview[]> {
  const plans: MountPlan[] = [];
  for (const mount of request.mounts) plans.push(await scanMount(mount, request.roots));
  const total = spender("The workspace", request.maxTotalBytes);
  // Known to be too much before anything is copied.
  spender(
    "The workspace",
    request.maxTotalBytes,
  )(plans.reduce((sum, { files }) => sum + files.reduce((bytes, { size }) => bytes + size, 0), 0));
  const previews: HostMountPreview[] = [];
  for (const plan of plans) previews.push(await copyPlan(folder, plan, { total, onFile: request.onFile }));
  return previews;
}

async function copyPlan(
  folder: string,
  { mount, files, isDirectory, resolvedHost }: MountPlan,
  { total, onFile }: { readonly total: (bytes: number) => void; readonly onFile: CopyRequest["onFile"] },
): Promise<HostMountPreview> {
  const { hostPath, mountPath } = mount;
  const target = join(folder, mountPath);
  if (isDirectory) await mkdir(target, { recursive: true });
  const own = spender(`The mount of ${hostPath}`, mount.maxBytes);
  let bytesCopied = 0;
  // Files may have grown since they were looked at.
  const spend = (bytes: number) => {
    own(bytes);
    total(bytes);
    bytesCopied += bytes;
  };
  for (const file of files) {
    await onFile?.(file.path === "" ? mountPath : `${mountPath}/${file.path}`);
    await copyFile(file, join(target, file.path), spend);
  }
  const entries = files.map(({ path }) => (path === "" ? mountPath : path));
  return {
    hostPath,
    resolvedHost,
    mountPath,
    entries: entries.slice(0, mostPreviewEntries),
    entryCount: entries.length,
    isDirectory,
    bytesCopied,
  };
}

/** Counts bytes and throws when they become too many. */
function spender(what: string, maxBytes: number | null): (bytes: number) => void {
  let spent = 0;
  return (bytes) => {
    spent += bytes;
    if (maxBytes !== null && spent > maxBytes) throw new WorkspaceBudgetExceededError(what, spent, maxBytes);
  };
}
