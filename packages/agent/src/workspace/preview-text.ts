import type { FullMount } from "./host-mount.ts";
import type { HostMountPreview } from "./mount-preview.ts";

/** Files that the text names for each mount. */
const mostNamed = 10;

/** The facts about a workspace for its preview. */
export interface PreviewFacts {
  readonly previews: readonly HostMountPreview[];
  readonly mounts: readonly FullMount[];
  readonly maxTotalBytes: number | null;
}

/** Tells the model what is in its workspace. Any agent may read it: nothing in it is about Codex. */
export function previewText({ previews, mounts, maxTotalBytes }: PreviewFacts): string {
  if (previews.length === 0) return "The workspace is an empty folder: no host files are mounted.";
  const budget = maxTotalBytes === null ? "" : ` Together they may have ${maxTotalBytes} bytes.`;
  const intro = `These host files have been copied into the workspace.${budget} Paths are relative to its root.`;
  return [intro, ...previews.map((preview, index) => describeMount(preview, mounts[index]?.maxBytes ?? null))].join(
    "\n\n",
  );
}

function describeMount(preview: HostMountPreview, maxBytes: number | null): string {
  const { mountPath, isDirectory, entries, entryCount, bytesCopied } = preview;
  const limit = maxBytes === null ? "" : ` of at most ${maxBytes}`;
  const head = `- \`${mountPath}\` (${isDirectory ? "folder" : "file"}, ${bytesCopied}${limit} bytes)`;
  if (!isDirectory) return head;
  const lines = entries.slice(0, mostNamed).map((entry) => `  - \`${oneLine(entry)}\``);
  if (entryCount > mostNamed) lines.push(`  - and ${entryCount - mostNamed} more files`);
  return [head, ...lines].join("\n");
}

/** A name may hold line breaks and other marks that would read as text of the prompt. */
const oneLine = (name: string): string => name.replace(/[\p{Cc}`]/gu, "�");
