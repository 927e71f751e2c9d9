import { type ReactNode, useEffect, useMemo, useState } from "react";
import { FileList } from "../items/diff/file-list.tsx";
import { parseDiff } from "../items/diff/parse-diff.ts";
import { FoldContext, FoldStore } from "../items/folds.ts";
import { Button, Notice, Spinner } from "../ui/index.ts";
import { boardWords } from "../words/words.ts";
import type { OrchestratorApi } from "./api.ts";
import type { IssueDiff } from "./wire.ts";

interface IssueDiffViewProps {
  readonly api: OrchestratorApi;
  readonly identifier: string;
  /** The commit that was pushed last: with another one the diff is another. */
  readonly commit: string;
}

/** The changes of an issue's branch, loaded when you ask for them. */
export function IssueDiffView({ api, identifier, commit }: IssueDiffViewProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="board-diff">
      <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? boardWords.hideDiff : boardWords.showDiff}
      </Button>
      {isOpen && <LoadedDiff key={commit} api={api} identifier={identifier} />}
    </div>
  );
}

function LoadedDiff({ api, identifier }: Pick<IssueDiffViewProps, "api" | "identifier">): ReactNode {
  const [loaded, setLoaded] = useState<IssueDiff | Error | null>(null);
  useEffect(() => {
    const ended = new AbortController();
    const settle = (answer: IssueDiff | Error): void => {
      if (!ended.signal.aborted) setLoaded(answer);
    };
    api.diff(identifier, ended.signal).then(settle, settle);
    return () => ended.abort();
  }, [api, identifier]);
  const folds = useMemo(() => new FoldStore(() => undefined), []);
  const files = useMemo(() => (loaded === null || loaded instanceof Error ? [] : parseDiff(loaded.diff)), [loaded]);
  if (loaded === null) return <Spinner label={boardWords.loadingDiff} />;
  if (loaded instanceof Error) return <Notice tone="warning">{loaded.message}</Notice>;
  return (
    <FoldContext value={folds}>
      {files.length === 0 && <p className="orchestrator-muted">{boardWords.noDiff}</p>}
      <FileList files={files} foldKey={`diff ${identifier}`} opened />
      {loaded.is_cut && <p className="orchestrator-muted">{boardWords.diffCut}</p>}
    </FoldContext>
  );
}
