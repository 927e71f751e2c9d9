import { ChevronRight, FileText } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { parseFileName, showFile } from "../../navigation/file-target.ts";
import { Badge, IconButton, Spinner, Visible } from "../../ui/index.ts";
import { fileWords, itemWords } from "../../words/words.ts";
import { useFold } from "../folds.ts";
import { relativePath } from "../format.ts";
import { useItemContext } from "../item-context.ts";
import { DiffCounts } from "./diff-counts.tsx";
import type { DiffFile } from "./parse-diff.ts";

const DiffLines = lazy(async () => ({ default: (await import("./diff-lines.tsx")).DiffLines }));

interface FileDiffProps {
  readonly file: DiffFile;
  readonly foldKey: string;
  /** True to show the lines before the user has chosen. */
  readonly initiallyOpen: boolean;
  /** Shown in place of the diff, once it is opened. */
  readonly body?: ReactNode;
  /** A control before the name. */
  readonly lead?: ReactNode;
}

/** A changed file: its name, its counts of added and removed lines, and, opened, its diff. */
export function FileDiff({ file, foldKey, initiallyOpen, lead, body }: FileDiffProps) {
  const [open, setOpen] = useFold(foldKey, initiallyOpen);
  const { cwd } = useItemContext();
  const path = relativePath(file.path, cwd);
  const target = parseFileName(file.path, cwd);
  const slash = path.lastIndexOf("/") + 1;
  return (
    <div className="diff-file">
      <div className="diff-file-line">
        {lead}
        <button type="button" className="diff-file-head" aria-expanded={open} onClick={() => setOpen(!open)}>
          <ChevronRight size={14} aria-hidden="true" className="items-chevron" />
          <span className="diff-path" title={file.path}>
            {file.from !== null && (
              <span className="diff-folder">
                <Visible text={relativePath(file.from, cwd)} oneLine /> →{" "}
              </span>
            )}
            <span className="diff-folder diff-parent">
              <Visible text={path.slice(0, slash)} oneLine />
            </span>
            <span className="diff-name">
              <Visible text={path.slice(slash)} oneLine />
            </span>
          </span>
          {file.kind === "added" && <Badge tone="success">{itemWords.newWord}</Badge>}
          {file.kind === "deleted" && <Badge tone="danger">{itemWords.deleted}</Badge>}
          {file.from !== null && <Badge>{itemWords.moved}</Badge>}
          <DiffCounts added={file.added} removed={file.removed} />
        </button>
        {target !== null && file.kind !== "deleted" && (
          <IconButton
            className="diff-open"
            label={fileWords.open}
            icon={<FileText size={14} />}
            onClick={() => showFile(target)}
          />
        )}
      </div>
      {open && (
        <Suspense fallback={<Spinner label={itemWords.loadingDiff} />}>
          {body ?? <DiffLines file={file} foldKey={foldKey} />}
        </Suspense>
      )}
    </div>
  );
}
