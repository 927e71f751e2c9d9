import { MessageSquareText, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { messageOf } from "../state/index.ts";
import { Button, IconButton, Notice, Visible } from "../ui/index.ts";
import { commentWords } from "../words/words.ts";
import { messageOfComments, placeOf } from "./comment-message.ts";
import { removeLineComments, useLineComments } from "./comment-store.ts";
import "./line-comments.css";

interface CommentsBarProps {
  readonly thread: string;
  /** Nothing can be sent now. */
  readonly disabled: boolean;
  readonly onSend: (text: string) => Promise<void>;
}

/** The comments that wait above the message, and the button that sends them all. */
export function CommentsBar({ thread, disabled, onSend }: CommentsBarProps): ReactNode {
  const comments = useLineComments(thread);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  if (comments.length === 0) return null;
  const ids = comments.map(({ id }) => id);
  const send = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onSend(messageOfComments(comments));
      removeLineComments(thread, ids);
    } catch (reason) {
      setError(messageOf(reason));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="line-comments-bar" aria-label={commentWords.title}>
      <details>
        <summary>
          <MessageSquareText size={14} aria-hidden="true" /> {commentWords.count(comments.length)}
        </summary>
        <ul>
          {comments.map((comment) => (
            <li key={comment.id}>
              <code>
                <Visible text={placeOf(comment)} oneLine />
              </code>
              <span className="line-comments-text">
                <Visible text={comment.text} oneLine />
              </span>
              <IconButton
                label={commentWords.remove(placeOf(comment))}
                icon={<X size={14} />}
                onClick={() => removeLineComments(thread, [comment.id])}
              />
            </li>
          ))}
        </ul>
      </details>
      <Button size="small" variant="ghost" disabled={busy} onClick={() => removeLineComments(thread, ids)}>
        {commentWords.discard}
      </Button>
      <Button size="small" variant="primary" busy={busy} disabled={disabled} onClick={() => void send()}>
        {commentWords.send}
      </Button>
      {error !== null && <Notice tone="danger">{error}</Notice>}
    </section>
  );
}
