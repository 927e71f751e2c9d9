import { GitBranch, RefreshCw } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import type { RunScript } from "../scripts/run-script.ts";
import { messageOf } from "../state/index.ts";
import { Button, IconButton, Notice, TextInput } from "../ui/index.ts";
import { changeWords } from "../words/words.ts";
import { forgeOf } from "./forge.ts";
import { PullBar } from "./pull-bar.tsx";
import { createBranch, pushBranch, type RepositoryState } from "./repository.ts";

interface BranchBarProps {
  readonly run: RunScript;
  readonly repository: RepositoryState;
  /** The title that is offered for a pull request. */
  readonly title: string;
  readonly onChanged: () => void;
}

/** The branch, how far it is from its remote, and what can be done with it. */
export function BranchBar({ run, repository, title, onChanged }: BranchBarProps): ReactNode {
  const { branch, base, ahead, behind, hasCommits, remote, remoteUrl, busy: inProgress } = repository;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [naming, setNaming] = useState(false);
  const attempt = async (action: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await action();
      setNaming(false);
    } catch (reason) {
      setError(messageOf(reason));
    } finally {
      setBusy(false);
      onChanged();
    }
  };
  const isPushed = ahead === 0;
  const forge = branch === null || ahead === null || base === `${remote}/${branch}` ? null : forgeOf(remoteUrl);
  return (
    <div className="git-branch">
      <div className="side-row">
        <span className="git-branch-name" title={branch ?? undefined}>
          <GitBranch size={14} aria-hidden="true" />
          <span>{branch ?? changeWords.noBranch}</span>
        </span>
        {ahead !== null && ahead > 0 && (
          <span className="side-note">
            {ahead} {changeWords.toPush}
          </span>
        )}
        {behind !== null && behind > 0 && (
          <span className="side-note">
            {behind} {changeWords.pull}
          </span>
        )}
        <span className="git-branch-actions">
          {hasCommits && branch !== null && remoteUrl !== null && !isPushed && (
            <Button
              size="small"
              busy={busy}
              title={changeWords.pushTo(remote, remoteUrl)}
              onClick={() => void attempt(() => pushBranch(run, remoteUrl))}
            >
              {changeWords.push}
            </Button>
          )}
          <Button
            size="small"
            variant="ghost"
            disabled={busy}
            onClick={() => setNaming(!naming)}
            aria-expanded={naming}
          >
            {changeWords.newBranch}
          </Button>
          <IconButton label={changeWords.refresh} icon={<RefreshCw size={14} />} onClick={onChanged} />
        </span>
      </div>
      {inProgress && <Notice tone="warning">{changeWords.mergeRebaseProgressFinishTerminal}</Notice>}
      {forge !== null && branch !== null && (
        <PullBar
          run={run}
          place={{ forge, branch }}
          base={base?.startsWith(`${remote}/`) ? base.slice(remote.length + 1) : base}
          title={title}
          moment={repository}
        />
      )}
      {naming && <BranchForm busy={busy} onName={(name) => void attempt(() => createBranch(run, name))} />}
      {error !== null && <Notice tone="danger">{error}</Notice>}
    </div>
  );
}

function BranchForm({ busy, onName }: { readonly busy: boolean; readonly onName: (name: string) => void }): ReactNode {
  const [name, setName] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== "") onName(name);
  };
  return (
    <form className="git-branch-form" onSubmit={submit}>
      <TextInput
        aria-label={changeWords.branchName}
        placeholder="feature/name"
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" busy={busy} disabled={name.trim() === ""}>
        {changeWords.createBranch}
      </Button>
    </form>
  );
}
