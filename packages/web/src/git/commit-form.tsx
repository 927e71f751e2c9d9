import { Sparkles } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { plural } from "../items/format.ts";
import type { RunScript } from "../scripts/run-script.ts";
import { messageOf } from "../state/index.ts";
import { Button, Notice } from "../ui/index.ts";
import { gitWords } from "../words/words.ts";
import { commitFiles, type Pick } from "./repository.ts";

interface CommitFormProps {
  readonly run: RunScript;
  /** The files and hunks that are chosen. */
  readonly picks: readonly Pick[];
  /** Asks the model for a message; null where it cannot. */
  readonly onSuggest: (() => Promise<string>) | null;
  /** The message that is offered. */
  readonly proposal: string;
  readonly onCommitted: () => void;
}

/** Commits the chosen files. A message that somebody began stays until it is used. */
export function CommitForm({ run, picks, proposal, onSuggest, onCommitted }: CommitFormProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [suggesting, setSuggesting] = useState(false);
  const message = typed ?? proposal;
  const suggest = async (ask: () => Promise<string>): Promise<void> => {
    setSuggesting(true);
    setError(null);
    try {
      setTyped(await ask());
    } catch (reason) {
      setError(messageOf(reason));
    } finally {
      setSuggesting(false);
    }
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await commitFiles(run, picks, message);
      setTyped(null);
    } catch (reason) {
      setError(messageOf(reason));
    } finally {
      setBusy(false);
      onCommitted();
    }
  };
  return (
    <form className="git-commit" onSubmit={(event) => void submit(event)}>
      <textarea
        aria-label={gitWords.message}
        rows={2}
        value={message}
        placeholder={gitWords.messageHint}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="side-row">
        <Button type="submit" variant="primary" busy={busy} disabled={picks.length === 0 || message.trim() === ""}>
          {gitWords.commit(plural(picks.length, "file"))}
        </Button>
        {onSuggest !== null && (
          <Button
            variant="ghost"
            icon={<Sparkles size={14} aria-hidden="true" />}
            busy={suggesting}
            disabled={picks.length === 0}
            onClick={() => void suggest(onSuggest)}
          >
            {gitWords.suggest}
          </Button>
        )}
        <span className="side-note">{gitWords.noHooks}</span>
      </div>
      {error !== null && <Notice tone="danger">{error}</Notice>}
    </form>
  );
}
