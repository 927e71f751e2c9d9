import { type ReactNode, useEffect, useState } from "react";
import { changeDraft, keepUnsent } from "../composer/drafts.ts";
import { FileList } from "../items/diff/file-list.tsx";
import { plural } from "../items/format.ts";
import { keyText, messageOf, type ThreadState } from "../state/index.ts";
import { setUndoMark, undoMark } from "../state/undo-marks.ts";
import { Button, Dialog, Notice, Segmented, Spinner } from "../ui/index.ts";
import { undoneWords, undoWords } from "../words/words.ts";
import "./undo.css";
import { messageOfTurn } from "./message-of-turn.ts";
import { planUndo, type UndoPlan } from "./undo-plan.ts";
import { useUndoPlace } from "./use-place.ts";

interface UndoDialogProps {
  /** The whole thread, with turns that are undone already. */
  readonly thread: ThreadState;
  /** The first turn that goes back. */
  readonly turnId: string;
  readonly onClose: () => void;
}

type Extent = "both" | "files" | "conversation";

/** Asks what goes back to before a turn: files, which of them, and the conversation. */
export function UndoDialog({ thread, turnId, onClose }: UndoDialogProps): ReactNode {
  const { key } = thread.summary;
  const place = useUndoPlace(key.hub, thread.settings.cwd || thread.summary.cwd);
  const [plan, setPlan] = useState<UndoPlan | null>(null);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const [extent, setExtent] = useState<Extent>("both");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown is what was there when it was opened
  useEffect(() => {
    planUndo(place, thread, turnId).then(setPlan, (reason: unknown) => setError(messageOf(reason)));
  }, [place, turnId]);
  const start = thread.turns.findIndex(({ id }) => id === turnId);
  const turns = thread.turns.length - start;
  const chosen = plan === null || extent === "conversation" ? [] : plan.files.filter(({ path }) => !kept.has(path));
  const undo = async (): Promise<void> => {
    if (plan === null) return;
    setBusy(true);
    setError(null);
    try {
      const paths = chosen.flatMap(({ path, from }) => (from === null ? [path] : [from, path]));
      const commit = chosen.length === 0 ? null : await plan.undo(paths);
      mark(thread, { turnId, extent, paths, commit, files: chosen.length });
      onClose();
    } catch (reason) {
      setError(messageOf(reason));
      setBusy(false);
    }
  };
  const nothing = extent === "files" && chosen.length === 0;
  return (
    <Dialog
      title={turns === 1 ? undoWords.turn : undoneWords.undoTurns(plural(turns, "turn"))}
      size="large"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{undoWords.cancel}</Button>
          <Button variant="primary" busy={busy} disabled={plan === null || nothing} onClick={() => void undo()}>
            {undoWords.undo}
          </Button>
        </>
      }
    >
      <div className="undo">
        <Segmented
          label={undoWords.extent}
          value={extent}
          options={[
            { value: "both", label: undoWords.both },
            { value: "files", label: undoWords.files },
            { value: "conversation", label: undoWords.conversation },
          ]}
          onChange={(value) => setExtent(value as Extent)}
        />
        <p className="undo-note">
          {notes[extent]} {undoWords.untilSend}
        </p>
        {error !== null && <Notice tone="danger">{error}</Notice>}
        {plan === null && error === null && <Spinner label={undoWords.comparing} />}
        {plan !== null && extent !== "conversation" && (
          <Files plan={plan} kept={kept} onKept={setKept} foldKey={`undo ${turnId}`} />
        )}
      </div>
    </Dialog>
  );

  function mark(of: ThreadState, made: Made): void {
    const name = keyText(of.summary.key);
    const before = undoMark(name);
    const lastTurnId = of.turns.at(-1)?.id ?? made.turnId;
    const earlier = before?.lastTurnId === lastTurnId ? before : null;
    const paths = [...new Set([...(earlier?.paths ?? []), ...made.paths])];
    setUndoMark(name, {
      turnId: made.extent === "files" ? (earlier?.turnId ?? null) : made.turnId,
      lastTurnId,
      from: made.turnId,
      files: earlier === null ? made.files : paths.length,
      // The first one holds the files as they were before anything went back.
      commit: earlier?.commit ?? made.commit,
      paths,
    });
    if (made.extent === "files") return;
    changeDraft(name, () => ({ text: "", images: [] }));
    keepUnsent(name, messageOfTurn(of, made.turnId), {});
  }
}

interface Made {
  readonly turnId: string;
  readonly extent: Extent;
  readonly paths: readonly string[];
  readonly commit: string | null;
  readonly files: number;
}

const notes: Readonly<Record<Extent, string>> = {
  both: undoWords.bothNote,
  files: undoWords.filesNote,
  conversation: undoWords.conversationNote,
};

interface FilesProps {
  readonly plan: UndoPlan;
  readonly kept: ReadonlySet<string>;
  readonly onKept: (kept: ReadonlySet<string>) => void;
  readonly foldKey: string;
}

function Files({ plan, kept, onKept, foldKey }: FilesProps): ReactNode {
  if (plan.files.length === 0) return <p className="undo-note">{undoWords.nothing}</p>;
  const toggle = (path: string): void =>
    onKept(kept.has(path) ? new Set([...kept].filter((each) => each !== path)) : new Set([...kept, path]));
  return (
    <>
      <FileList
        files={plan.files}
        foldKey={foldKey}
        opened={false}
        lead={({ path }) => (
          <input
            type="checkbox"
            className="git-pick"
            aria-label={undoneWords.undo(path)}
            checked={!kept.has(path)}
            onChange={() => toggle(path)}
          />
        )}
      />
      {!plan.whole && <p className="undo-note">{undoWords.editsOnly}</p>}
    </>
  );
}
