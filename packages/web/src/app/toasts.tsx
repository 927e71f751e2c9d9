import { X } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import type { Toast } from "../state/model.ts";
import { useActions, useStore } from "../state/react.tsx";
import { IconButton, Notice } from "../ui/index.ts";
import { appWords } from "../words/words.ts";

/** Time for which news stays that needs no reaction. Warnings and errors stay until they are dismissed. */
const infoMs = 4000;

/** Passing messages in a corner of the page, away from where one writes. */
export function Toasts(): ReactNode {
  const toasts = useStore((state) => state.toasts);
  return (
    <div className="app-toasts">
      {toasts.map((toast) => (
        <ToastView key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

const tones = { info: "neutral", warning: "warning", error: "danger" } as const;

function ToastView({ toast }: { readonly toast: Toast }): ReactNode {
  const actions = useActions();
  useEffect(() => {
    if (toast.level !== "info") return;
    const timer = setTimeout(() => actions.dismissToast(toast.id), infoMs);
    return () => clearTimeout(timer);
  }, [actions, toast]);
  return (
    <Notice
      tone={tones[toast.level]}
      actions={
        <IconButton label={appWords.dismiss} icon={<X size={16} />} onClick={() => actions.dismissToast(toast.id)} />
      }
    >
      {toast.text}
    </Notice>
  );
}
