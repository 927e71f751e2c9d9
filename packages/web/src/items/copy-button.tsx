import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { IconButton } from "../ui/index.ts";

/** Time for which the check mark stays. */
const shownMs = 1500;

/** Copies a text. The text is asked for when it is needed, for it may be long. */
export function CopyButton({ label = "Copy", text }: { readonly label?: string; readonly text: () => string }) {
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
      label={copied ? "Copied" : label}
      icon={copied ? <Check size={14} /> : <Copy size={14} />}
      onClick={() => {
        // Without the permission to write the clipboard there is nothing to undo: the text can be selected.
        copy().catch(() => setCopied(false));
      }}
    />
  );
}
