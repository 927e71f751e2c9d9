import { Pencil, Trash2 } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button, IconButton, Notice, Visible } from "../ui/index.ts";
import { commentWords } from "../words/words.ts";
import { placeOf } from "./comment-message.ts";
import { changeLineComment, type LineComment, removeLineComments } from "./comment-store.ts";
import "./line-comments.css";

interface CommentBoxProps {
  readonly thread: string;
  readonly comment: LineComment;
}

/** A comment at its line, to be changed or removed until it is sent. */
export function CommentBox({ thread, comment }: CommentBoxProps): ReactNode {
  const [editing, setEditing] = useState(false);
  const place = placeOf(comment);
  if (editing) {
    return (
      <CommentForm
        place={place}
        text={comment.text}
        onCancel={() => setEditing(false)}
        onSave={(text) => {
          changeLineComment(thread, comment.id, text);
          setEditing(false);
          return null;
        }}
      />
    );
  }
  return (
    <div className="line-comment">
      <p className="line-comment-text">
        <Visible text={comment.text} />
      </p>
      <IconButton label={commentWords.edit(place)} icon={<Pencil size={14} />} onClick={() => setEditing(true)} />
      <IconButton
        label={commentWords.remove(place)}
        icon={<Trash2 size={14} />}
        onClick={() => removeLineComments(thread, [comment.id])}
      />
    </div>
  );
}

/** Focuses the box when it appears; the same function each time, so that it is not called again while one types. */
const focus = (element: HTMLElement | null): void => element?.focus();

interface CommentFormProps {
  /** The line, in words. */
  readonly place: string;
  readonly text?: string;
  /** Keeps the comment; what it returns is why that could not be done. */
  readonly onSave: (text: string) => string | null;
  readonly onCancel: () => void;
}

/** The box in which a comment is written. */
export function CommentForm({ place, text: before = "", onSave, onCancel }: CommentFormProps): ReactNode {
  const [text, setText] = useState(before);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (text.trim() !== "") setProblem(onSave(text));
  };
  return (
    <form className="line-comment-form" aria-label={commentWords.on(place)} onSubmit={submit}>
      <textarea
        ref={focus}
        aria-label={commentWords.on(place)}
        placeholder={commentWords.hint}
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            onCancel();
          } else if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit();
        }}
      />
      <div className="line-comment-actions">
        <Button type="submit" size="small" variant="primary" disabled={text.trim() === ""}>
          {before === "" ? commentWords.add : commentWords.save}
        </Button>
        <Button size="small" variant="ghost" onClick={onCancel}>
          {commentWords.cancel}
        </Button>
      </div>
      {problem !== null && <Notice tone="warning">{problem}</Notice>}
    </form>
  );
}
