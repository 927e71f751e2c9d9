import { type FormEvent, type ReactNode, useState } from "react";
import type { DiffFile } from "../items/diff/parse-diff.ts";
import { plural } from "../items/format.ts";
import type { RunScript } from "../scripts/run-script.ts";
import { messageOf } from "../state/index.ts";
import { Button, Notice } from "../ui/index.ts";
import { commitFiles } from "./repository.ts";

interface CommitFormProps {
  readonly run: RunScript;
  /** The files that are chosen. */
  readonly files: readonly DiffFile[];
  /** The message that is offered. */
  readonly proposal: string;
  readonly onCommitted: () => void;
}

/** Commits the chosen files. A message that somebody began stays until it is used. */
export function CommitForm({ run, files, proposal, onCommitted }: CommitFormProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const message = typed ?? proposal;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await commitFiles(run, files, message);
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
        aria-label="Commit message"
        rows={2}
        value={message}
        placeholder="What changed, and why"
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="side-row">
        <Button type="submit" variant="primary" busy={busy} disabled={files.length === 0 || message.trim() === ""}>
          Commit {plural(files.length, "file")}
        </Button>
        <span className="side-note">The repository's hooks do not run.</span>
      </div>
      {error !== null && <Notice tone="danger">{error}</Notice>}
    </form>
  );
}
