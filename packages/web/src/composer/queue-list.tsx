import { ChevronUp, ListEnd, Pencil, SendHorizontal, X } from "lucide-react";
import { IconButton } from "../ui/index.ts";
import { composeWords } from "../words/words.ts";
import { textOf } from "./build-input.ts";
import { isEditable, type QueuedMessage } from "./message-queue.ts";

interface QueueListProps {
  readonly queue: readonly QueuedMessage[];
  readonly onRemove: (id: string) => void;
  /** Lets a message have its turn one earlier; undefined where the order is fixed. */
  readonly onMoveUp?: ((id: string) => void) | undefined;
  /** Takes a message back into the textbox. */
  readonly onEdit: (message: QueuedMessage) => void;
  /** Sends a message without waiting; undefined where nothing can be sent. */
  readonly onSend?: ((message: QueuedMessage) => void) | undefined;
}

/** The messages that are sent when the turn has ended. */
export function QueueList({ queue, onRemove, onMoveUp, onEdit, onSend }: QueueListProps) {
  if (queue.length === 0) return null;
  return (
    <ul className="composer-queue" aria-label={composeWords.queuedMessages}>
      {queue.map((message, index) => {
        const text = lineText(message);
        const name = shortened(text);
        return (
          <li key={message.id} className="composer-queued" title={composeWords.sentTurnEnds}>
            <ListEnd size={14} aria-hidden="true" />
            <span className="composer-queued-text">
              {text}
              {message.error !== null && (
                <span className="composer-queued-error">
                  {" "}
                  {composeWords.notSent} {message.error}
                </span>
              )}
            </span>
            {onMoveUp !== undefined && index > 0 && (
              <IconButton
                label={composeWords.moveUp(name)}
                icon={<ChevronUp size={14} />}
                onClick={() => onMoveUp(message.id)}
              />
            )}
            {onSend !== undefined && (
              <IconButton
                label={composeWords.sendNow(name)}
                icon={<SendHorizontal size={14} />}
                onClick={() => onSend(message)}
              />
            )}
            {isEditable(message) && (
              <IconButton label={`Edit: ${name}`} icon={<Pencil size={14} />} onClick={() => onEdit(message)} />
            )}
            <IconButton label={`Remove: ${name}`} icon={<X size={14} />} onClick={() => onRemove(message.id)} />
          </li>
        );
      })}
    </ul>
  );
}

/** The words and how many images go with them. */
function lineText(message: QueuedMessage): string {
  const images = message.input.filter((part) => part.type === "image").length;
  return [textOf(message.input), images > 0 && composeWords.image(images, images > 1 ? "s" : "")]
    .filter(Boolean)
    .join(" · ");
}

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
