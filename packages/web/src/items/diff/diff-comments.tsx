import { type ReactNode, useState } from "react";
import { CommentBox, CommentForm } from "../../line-comments/comment-box.tsx";
import { placeOf } from "../../line-comments/comment-message.ts";
import { addLineComment, type LineComment, useLineComments } from "../../line-comments/comment-store.ts";
import { commentWords } from "../../words/words.ts";
import { relativePath } from "../format.ts";
import { useItemContext } from "../item-context.ts";
import type { DiffFile, DiffLine } from "./parse-diff.ts";

/** A diff whose lines take comments. */
export interface Commentable {
  readonly thread: string;
  readonly path: string;
  readonly comments: readonly LineComment[];
  /** The line whose comment is being written. */
  readonly open: DiffLine | null;
  readonly close: () => void;
  /** The button of a line; the first one is reached by Tab, the others by the arrows. */
  readonly spot: (line: DiffLine, first: boolean) => ReactNode;
}

/** Lets the lines of a file's diff take comments; null where none are kept. */
export function useCommentable(file: DiffFile): Commentable | null {
  const { cwd, commentsOf } = useItemContext();
  const all = useLineComments(commentsOf ?? null);
  const [open, setOpen] = useState<DiffLine | null>(null);
  if (commentsOf === undefined) return null;
  const path = relativePath(file.path, cwd);
  return {
    thread: commentsOf,
    path,
    comments: all.filter((comment) => comment.path === path),
    open,
    close: () => setOpen(null),
    spot: (line, first) => (
      <button
        type="button"
        className="diff-comment"
        tabIndex={first ? 0 : -1}
        aria-label={commentWords.on(placeOf({ ...pointOf(line), path, endLine: null }))}
        onClick={() => setOpen(line)}
      >
        +
      </button>
    ),
  };
}

interface LineCommentsProps {
  readonly commentable: Commentable;
  /** The lines of a row; null for all of the file. */
  readonly lines: readonly DiffLine[] | null;
}

/** The comments on lines, and the box for one that is being written. */
export function LineComments({ commentable, lines }: LineCommentsProps): ReactNode {
  const { thread, path, comments, open, close } = commentable;
  const points = lines?.map(pointOf) ?? null;
  const shown = comments.filter(
    ({ line, removed }) => points === null || points.some((each) => each.line === line && each.removed === removed),
  );
  const isOpen = open !== null && (lines === null || lines.some((line) => isSame(line, open)));
  return (
    <>
      {shown.map((comment) => (
        <CommentBox key={comment.id} thread={thread} comment={comment} />
      ))}
      {isOpen && (
        <CommentForm
          place={placeOf({ ...pointOf(open), path, endLine: null })}
          onCancel={close}
          onSave={(text) => {
            const comment = { ...pointOf(open), path, endLine: null, code: open.text, text };
            if (!addLineComment(thread, comment)) return commentWords.tooMany;
            close();
            return null;
          }}
        />
      )}
    </>
  );
}

const pointOf = ({ kind, before, after }: DiffLine): { readonly line: number; readonly removed: boolean } => ({
  line: (kind === "removed" ? before : after) ?? 1,
  removed: kind === "removed",
});

const isSame = (a: DiffLine, b: DiffLine): boolean => a.kind === b.kind && a.before === b.before && a.after === b.after;
