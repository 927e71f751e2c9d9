import { Undo2, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { textOf } from "../composer/build-input.ts";
import { changeDraft } from "../composer/drafts.ts";
import { plural } from "../items/format.ts";
import { keyText, messageOf, type ThreadState } from "../state/index.ts";
import { setUndoMark, type UndoMark } from "../state/undo-marks.ts";
import { Button, IconButton, Notice } from "../ui/index.ts";
import { undoneWords, undoWords } from "../words/words.ts";
import "./undo.css";
import { messageOfTurn } from "./message-of-turn.ts";
import { restoreFiles } from "./undo-plan.ts";
import { useUndoPlace } from "./use-place.ts";

interface UndoDockProps {
  /** The whole thread, with the turns that are undone. */
  readonly thread: ThreadState;
  readonly mark: UndoMark;
}

/** The line above the message that says what was undone, with the way back. */
export function UndoDock({ thread, mark }: UndoDockProps): ReactNode {
  const { key } = thread.summary;
  const place = useUndoPlace(key.hub, thread.settings.cwd || thread.summary.cwd);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const restore = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await restoreFiles(place, thread, mark);
      setUndoMark(keyText(key), null);
      const undone = textOf(messageOfTurn(thread, mark.turnId)).trim();
      changeDraft(keyText(key), (draft) => (draft.text.trim() === undone ? { text: "", images: [] } : {}));
    } catch (reason) {
      setError(messageOf(reason));
      setBusy(false);
    }
  };
  const turns = mark.turnId === null ? 0 : thread.turns.length - thread.turns.findIndex(({ id }) => id === mark.turnId);
  const parts = [turns > 0 && plural(turns, "turn"), mark.files > 0 && plural(mark.files, "file")];
  return (
    <section className="undo-dock" aria-label={undoneWords.undoneTitle}>
      <Undo2 size={14} aria-hidden="true" />
      <span className="undo-dock-text">
        {parts.filter(Boolean).join(" and ")} {undoneWords.undone}
        {turns > 0 && <span className="undo-note"> {undoWords.next}</span>}
      </span>
      <Button size="small" busy={busy} onClick={() => void restore()}>
        {undoWords.restore}
      </Button>
      {turns === 0 && (
        <IconButton label={undoWords.dismiss} icon={<X size={14} />} onClick={() => setUndoMark(keyText(key), null)} />
      )}
      {error !== null && <Notice tone="danger">{error}</Notice>}
    </section>
  );
}
