import { FileDiff as FileDiffIcon, GitCommitHorizontal } from "lucide-react";
import { useMemo, useState } from "react";
import { BranchBar, CommitForm, HunkPicker, messageOfAnswer, messagePrompt, useRepository } from "../git/index.ts";
import { DiffCounts } from "../items/diff/diff-counts.tsx";
import { FileList } from "../items/diff/file-list.tsx";
import type { DiffFile } from "../items/diff/parse-diff.ts";
import { plural } from "../items/format.ts";
import { panelWords } from "../words/words.ts";
import "../items/items.css";
import { ItemContext } from "../items/item-context.ts";
import type { RunScript } from "../scripts/run-script.ts";
import { keyText, type ThreadState } from "../state/model.ts";
import { threadTitle } from "../state/thread-title.ts";
import { EmptyState, Notice, Segmented, Spinner } from "../ui/index.ts";
import { lastTurnFiles, threadFiles } from "./changed-files.ts";
import { usePicks } from "./use-picks.ts";

interface ChangesPanelProps {
  readonly thread: ThreadState;
  /** Runs git in the thread's folder; null where there is none. */
  readonly git: RunScript | null;
  /** Asks the model a question in a thread of its own. */
  readonly onAsk: (prompt: string) => Promise<string>;
}

type Scope = "uncommitted" | "branch" | "turn" | "thread";

const scopes: readonly { readonly value: Scope; readonly label: string }[] = [
  { value: "uncommitted", label: panelWords.uncommitted },
  { value: "branch", label: panelWords.branch },
  { value: "turn", label: panelWords.lastTurn },
  { value: "thread", label: panelWords.thread },
];

/** The files that changed: in the work tree, on its branch, in the last turn or in the whole thread. */
export function ChangesPanel({ thread, git, onAsk }: ChangesPanelProps) {
  const [chosen, setScope] = useState<Scope | null>(null);
  const gitScope = chosen === "branch" || chosen === "turn" ? chosen : "uncommitted";
  const turn = thread.turns.at(-1)?.id ?? null;
  const place = turn === null ? null : { thread: thread.summary.key.thread, turn };
  const repository = useRepository(git, gitScope, { moment: thread.activeTurn, place });
  const { value, missing } = repository;
  const scope = chosen ?? (missing ? "thread" : "uncommitted");
  const isGit = scope === "uncommitted" || scope === "branch" || (scope === "turn" && value?.hasTurn === true);
  const said = useMemo(() => (scope === "turn" ? lastTurnFiles(thread) : threadFiles(thread)), [thread, scope]);
  const files = isGit ? (value?.files ?? []) : said;
  const sum = (count: "added" | "removed"): number => files.reduce((total, file) => total + file[count], 0);
  const shown = missing ? scopes.filter(({ value: each }) => each === "turn" || each === "thread") : scopes;
  return (
    <div className="side-panel">
      {git !== null && value !== null && (
        <BranchBar run={git} repository={value} title={threadTitle(thread.summary)} onChanged={repository.reload} />
      )}
      <div className="side-row">
        <Segmented
          label={panelWords.changes}
          value={scope}
          options={shown}
          onChange={(each) => setScope(each as Scope)}
        />
        {files.length > 0 && (
          <span className="side-note">
            {plural(files.length, "file")} <DiffCounts added={sum("added")} removed={sum("removed")} />
          </span>
        )}
      </div>
      {isGit && scope === "branch" && value?.base && (
        <p className="side-note">
          {panelWords.compared} {value.base}.
        </p>
      )}
      {isGit && repository.error !== null && <Notice tone="danger">{repository.error}</Notice>}
      {isGit && value?.clipped === true && <Notice tone="warning">{panelWords.diffTooLongCut}</Notice>}
      {files.length === 0 ? (
        <Nothing isGit={isGit} loading={isGit && value === null && repository.loading} />
      ) : (
        <ItemContext
          value={{
            cwd: isGit && value !== null ? value.top : thread.settings.cwd,
            openThread: null,
            agentName: () => null,
            readFile: null,
            commentsOf: keyText(thread.summary.key),
          }}
        >
          {scope === "uncommitted" && git !== null && value !== null ? (
            <Uncommitted
              run={git}
              files={files}
              proposal={threadTitle(thread.summary)}
              onAsk={onAsk}
              onChanged={repository.reload}
            />
          ) : (
            <FileList files={files} foldKey={`side/${scope}`} opened={false} />
          )}
        </ItemContext>
      )}
    </div>
  );
}

function Nothing({ isGit, loading }: { readonly isGit: boolean; readonly loading: boolean }) {
  if (loading) return <Spinner label={panelWords.loadingChanges} />;
  if (!isGit) {
    return (
      <EmptyState icon={<FileDiffIcon size={24} />} title={panelWords.noFilesChangedYet}>
        {panelWords.agentEditsFilesTheyListed}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<GitCommitHorizontal size={24} />} title={panelWords.noChanges}>
      {panelWords.workTreeCommitted}
    </EmptyState>
  );
}

interface UncommittedProps {
  readonly run: RunScript;
  readonly files: readonly DiffFile[];
  readonly proposal: string;
  readonly onAsk: (prompt: string) => Promise<string>;
  readonly onChanged: () => void;
}

/** The files of the work tree, to be chosen whole or by their hunks, and committed. */
function Uncommitted({ run, files, proposal, onAsk, onChanged }: UncommittedProps) {
  const { picks, isLeft, toggle } = usePicks(files);
  return (
    <>
      <FileList
        files={files}
        foldKey="side/uncommitted"
        opened={false}
        lead={(file) => {
          const pick = picks.find((each) => each.file === file);
          return (
            <input
              type="checkbox"
              className="git-pick"
              aria-label={panelWords.commit(file.path)}
              checked={pick !== undefined}
              ref={(box) => {
                if (box !== null) box.indeterminate = pick !== undefined && pick.hunks !== "all";
              }}
              onChange={() => toggle(file)}
            />
          );
        }}
        body={(file) =>
          file.hunks.length > 1 && file.from === null && file.kind === "changed" ? (
            <HunkPicker
              file={file}
              left={new Set(file.hunks.flatMap((_, index) => (isLeft(file, index + 1) ? [index + 1] : [])))}
              onToggle={(hunk) => toggle(file, hunk)}
              foldKey={`side/uncommitted/${file.path}`}
            />
          ) : undefined
        }
      />
      <CommitForm
        run={run}
        picks={picks}
        proposal={proposal}
        onSuggest={async () => messageOfAnswer(await onAsk(messagePrompt(picks)))}
        onCommitted={onChanged}
      />
    </>
  );
}
