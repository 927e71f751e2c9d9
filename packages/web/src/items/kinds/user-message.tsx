import type { UserInput } from "@quire/protocol";
import { AudioLines, FileText, Pencil, Sparkles } from "lucide-react";
import { Button, IconButton } from "../../ui/index.ts";
import { itemWords, undoWords } from "../../words/words.ts";
import { CopyButton, LinkButton } from "../copy-button.tsx";
import { useFold } from "../folds.ts";
import { baseName, clipped, formatNumber, humanName } from "../format.ts";
import { useItemContext } from "../item-context.ts";
import type { ItemProps } from "../item-props.ts";
import { Picture } from "../picture.tsx";

/** A longer message is folded. */
const foldedLength = 2000;

/** A message of the user, with its pictures, files and skills. */
export function UserMessage({ item, state }: ItemProps<"userMessage">) {
  const { undo } = useItemContext();
  const text = item.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const others = item.content.filter((part) => part.type !== "text");
  return (
    <div className="items-user">
      {text !== "" && <Text text={text} foldKey={`${item.id}/text`} />}
      {others.length > 0 && (
        <div className="items-attachments">
          {others.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message have no other name
            <Attachment key={index} part={part} />
          ))}
        </div>
      )}
      <div className="items-hover-actions">
        <CopyButton label={itemWords.copyMessage} text={() => text} />
        <LinkButton itemId={item.id} />
        {undo != null && (
          <IconButton
            className="items-copy"
            label={undoWords.edit}
            icon={<Pencil size={14} />}
            onClick={() => undo(state.turnId)}
          />
        )}
      </div>
    </div>
  );
}

/** Shown as it was typed: what the user sends is not markdown to the agent either. */
function Text({ text, foldKey }: { readonly text: string; readonly foldKey: string }) {
  const [open, setOpen] = useFold(foldKey, false);
  const folds = text.length > foldedLength * 1.2;
  return (
    <>
      <div className="items-user-text">{folds && !open ? clipped(text, foldedLength) : clipped(text, 100_000)}</div>
      {folds && (
        <Button variant="ghost" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? itemWords.showLess : itemWords.showAllCharacters(formatNumber(text.length))}
        </Button>
      )}
    </>
  );
}

function Attachment({ part }: { readonly part: Exclude<UserInput, { type: "text" }> }) {
  switch (part.type) {
    case "image":
      return <Picture url={"url" in part ? part.url : undefined} alt={itemWords.attachedImage} />;
    case "localImage":
      return <Picture path={part.path} alt={baseName(part.path)} />;
    case "audio":
    case "localAudio":
      return (
        <span className="items-chip">
          <AudioLines size={12} aria-hidden="true" />{" "}
          {part.type === "localAudio" ? baseName(part.path) : itemWords.audio}
        </span>
      );
    case "skill":
      return (
        <span className="items-chip" title={part.path}>
          <Sparkles size={12} aria-hidden="true" /> {part.name}
        </span>
      );
    case "mention":
      return (
        <span className="items-chip" title={part.path}>
          <FileText size={12} aria-hidden="true" /> {part.name}
        </span>
      );
    default:
      return <span className="items-chip">{humanName((part as { type: string }).type)}</span>;
  }
}
