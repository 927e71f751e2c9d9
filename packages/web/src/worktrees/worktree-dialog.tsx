import { type ReactNode, useEffect, useState } from "react";
import { plural } from "../items/format.ts";
import { scriptRunner } from "../state/checkpoints.ts";
import { messageOf, type ThreadState, useActions } from "../state/index.ts";
import { threadTitle } from "../state/thread-title.ts";
import { Button, Dialog, Notice, Spinner } from "../ui/index.ts";
import { worktreeWords as words, worktreeFormWords } from "../words/words.ts";
import { bringBack, createWorktree, type Place, readPlace, removeWorktree } from "./worktrees.ts";
import "./worktrees.css";

interface WorktreeDialogProps {
  readonly thread: ThreadState;
  readonly onClose: () => void;
}

/** Shows in which checkout a thread works, hands it to another one, and cleans up. */
export function WorktreeDialog({ thread, onClose }: WorktreeDialogProps): ReactNode {
  const actions = useActions();
  const { key } = thread.summary;
  const cwd = thread.settings.cwd || thread.summary.cwd;
  const [place, setPlace] = useState<Place | null | undefined>();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const runIn = (folder: string) => scriptRunner((params) => actions.exec(key.hub, params), folder);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the folder is what it reacts to
  useEffect(() => {
    readPlace(runIn(cwd)).then(setPlace, (reason: unknown) => setError(messageOf(reason)));
  }, [cwd]);
  const moveTo = async (folder: string): Promise<void> => {
    await actions.request(key.hub, "thread/settings/update", { threadId: key.thread, cwd: folder });
  };
  const attempt = async (action: () => Promise<string>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      actions.toast("info", await action());
      onClose();
    } catch (reason) {
      setError(messageOf(reason));
      setBusy(false);
    }
  };
  const toWorktree = async (): Promise<string> => {
    const folder = await createWorktree(runIn(cwd), threadTitle(thread.summary), true);
    await moveTo(folder);
    return words.moved(folder);
  };
  const toLocal = async (main: string): Promise<string> => {
    const folder = await bringBack({ from: runIn(cwd), to: runIn(main), thread: key.thread });
    await moveTo(folder);
    return words.moved(folder);
  };
  const remove = async (main: string): Promise<string> => {
    await moveTo(main);
    const saved = await removeWorktree(runIn(cwd)).catch(async (reason: unknown) => {
      await moveTo(cwd);
      throw reason;
    });
    return saved === null ? words.removed : words.removedSaved(saved.slice(0, 10));
  };
  const working = thread.activeTurn !== null;
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div className="worktrees">
        {error !== null && <Notice tone="danger">{error}</Notice>}
        {place === undefined && error === null && <Spinner label={words.loading} />}
        {place === null && <Notice>{words.noRepository}</Notice>}
        {working && <Notice tone="warning">{words.working}</Notice>}
        {place != null && (
          <>
            <dl className="worktrees-facts">
              <dt>{place.linked ? words.worktree : words.local}</dt>
              <dd title={place.top}>{place.top}</dd>
              <dt>{words.branch}</dt>
              <dd>{place.branch ?? words.noBranch}</dd>
              <dt>{words.uncommitted}</dt>
              <dd>{plural(place.changed, "file")}</dd>
            </dl>
            {!place.linked && (
              <section>
                <Button variant="primary" busy={busy} disabled={working} onClick={() => void attempt(toWorktree)}>
                  {words.toWorktree}
                </Button>
                <p>{words.toWorktreeNote}</p>
              </section>
            )}
            {place.linked && !asking && (
              <>
                <section>
                  <Button
                    variant="primary"
                    busy={busy}
                    disabled={working}
                    onClick={() => void attempt(() => toLocal(place.main))}
                  >
                    {words.toLocal}
                  </Button>
                  <p>{words.toLocalNote(place.main)}</p>
                </section>
                <section>
                  <Button disabled={working || busy} onClick={() => setAsking(true)}>
                    {words.remove}
                  </Button>
                  <p>{words.removeNote}</p>
                </section>
              </>
            )}
            {asking && (
              <section role="alertdialog" aria-label={words.remove}>
                <p>{words.removeAsk(place.top)}</p>
                <ul>
                  <li>{words.keptBranch(place.branch ?? "HEAD")}</li>
                  {place.changed > 0 && <li>{words.keptFiles(plural(place.changed, "uncommitted file"))}</li>}
                  {place.ignored > 0 && (
                    <li>
                      {words.lostIgnored(
                        plural(
                          place.ignored,
                          worktreeFormWords.ignoredFileFolder,
                          worktreeFormWords.ignoredFilesFolders,
                        ),
                      )}
                    </li>
                  )}
                </ul>
                <div className="worktrees-actions">
                  <Button variant="danger" busy={busy} onClick={() => void attempt(() => remove(place.main))}>
                    {words.removeNow}
                  </Button>
                  <Button onClick={() => setAsking(false)}>{words.keep}</Button>
                </div>
              </section>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}
