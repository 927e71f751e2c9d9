import { Check, Copy, Link } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { IconButton } from "../ui/index.ts";
import { itemWords, outlineWords } from "../words/words.ts";
import { useItemContext } from "./item-context.ts";

/** Time for which the check mark stays. */
const shownMs = 1500;

interface CopyButtonProps {
  readonly label?: string;
  readonly icon?: ReactNode;
  readonly text: () => string;
}

/** Copies a text. The text is asked for when it is needed, for it may be long. */
export function CopyButton({ label = itemWords.copy, icon = <Copy size={14} />, text }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), shownMs);
  };
  return (
    <IconButton
      className="items-copy"
      label={copied ? itemWords.copied : label}
      icon={copied ? <Check size={14} /> : icon}
      onClick={() => {
        // Without the permission to write the clipboard there is nothing to undo: the text can be selected.
        copy().catch(() => setCopied(false));
      }}
    />
  );
}

/** Copies the address of an item, where it has one. */
export function LinkButton({ itemId }: { readonly itemId: string }) {
  const { linkTo } = useItemContext();
  if (linkTo === undefined) return null;
  return <CopyButton label={outlineWords.copyLink} icon={<Link size={14} />} text={() => linkTo(itemId)} />;
}
