import { relative } from "node:path";
import { repositoryRoot } from "../workspace-files/real-path.ts";
import { isText } from "./describe-changes.ts";
import type { FileState, PlannedChange } from "./plan-patch.ts";
import { unifiedHunks } from "./unified-diff.ts";

const noBlob = "0".repeat(40);
const contextLines = 3;

/** A file's path and content at the start of the turn and now. */
interface Tracked {
  readonly from: string;
  to: string;
  readonly before: FileState | null;
  after: FileState | null;
}

/** All changes of patches since a turn began, as one diff. */
export class TurnDiff {
  readonly #root: string;
  readonly #files: Tracked[] = [];

  /** @param cwd Paths are relative to the repository around this folder, or to the folder itself. */
  constructor(cwd: string) {
    this.#root = repositoryRoot(cwd) ?? cwd;
  }

  add(changes: readonly PlannedChange[]): void {
    for (const { path, moveTo, before, after } of changes) {
      const known = this.#files.find(({ to, after }) => to === path && (after !== null || moveTo === null));
      if (!known) this.#files.push({ from: path, to: moveTo ?? path, before, after });
      else {
        known.to = moveTo ?? path;
        known.after = after;
      }
    }
  }

  /** Empty when nothing differs from the beginning. */
  text(): string {
    const files = [...this.#files].sort((a, b) => (a.from < b.from ? -1 : 1));
    return files.map((file) => this.#show(file)).join("");
  }

  #show({ from, to, before, after }: Tracked): string {
    if (!before && !after) return "";
    if (before && after && from === to && before.bytes.equals(after.bytes)) return "";
    const oldName = this.#name(before ? from : to);
    const newName = this.#name(after ? to : from);
    const mode = !before ? `new file mode ${modeOf(after)}\n` : !after ? `deleted file mode ${modeOf(before)}\n` : "";
    const head = `diff --git a/${oldName} b/${newName}\n${mode}index ${blobId(before)}..${blobId(after)}\n`;
    if (before && after && before.bytes.equals(after.bytes)) {
      return `diff --git a/${oldName} b/${newName}\nsimilarity index 100%\nrename from ${oldName}\nrename to ${newName}\n`;
    }
    const old = before ? `a/${oldName}` : "/dev/null";
    const fresh = after ? `b/${newName}` : "/dev/null";
    if ((before && !isText(before.bytes)) || (after && !isText(after.bytes)))
      return `${head}Binary files ${old} and ${fresh} differ\n`;
    const hunks = unifiedHunks(before?.bytes.toString() ?? "", after?.bytes.toString() ?? "", contextLines);
    return hunks === "" ? head : `${head}--- ${old}\n+++ ${fresh}\n${hunks}`;
  }

  #name(path: string): string {
    const name = relative(this.#root, path);
    return name.startsWith("..") ? path : name;
  }
}

function modeOf(state: FileState | null): string {
  return ((state?.mode ?? 0o644) & 0o111) !== 0 ? "100755" : "100644";
}

/** The name under which git would store the content. */
function blobId(state: FileState | null): string {
  if (!state) return noBlob;
  const hash = new Bun.CryptoHasher("sha1");
  return hash.update(`blob ${state.bytes.length}\0`).update(state.bytes).digest("hex");
}
