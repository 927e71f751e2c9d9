import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ApprovalBar, RequestCard } from "../approvals/index.ts";
import { Composer, type SlashCommandName } from "../composer/index.ts";
import { CommentsBar } from "../line-comments/comments-bar.tsx";
import { navigate, newHref, threadHref } from "../navigation/routes.ts";
import { modelProblem } from "../new-thread/model-problem.ts";
import { usePreferences, writePreferences } from "../side-panel/index.ts";
import {
  type HubView,
  keyText,
  messageOf,
  type PendingRequest,
  type ThreadKey,
  type ThreadState,
  useActions,
  useStore,
  useThread,
} from "../state/index.ts";
import { threadTitle } from "../state/thread-title.ts";
import { useUndoMark } from "../state/undo-marks.ts";
import { NextStep } from "../thread/next-step.tsx";
import { ThreadView } from "../thread/thread-view.tsx";
import { Button, EmptyState, Notice, Spinner } from "../ui/index.ts";
import { holds, shownThread, UndoDock } from "../undo/index.ts";
import { appWords } from "../words/words.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { useServerQueue } from "./server-queue.ts";
import { PageHeader, ThreadHeader, type ThreadHeaderProps } from "./thread-header.tsx";

/** Loaded when it is asked for, with the diffs that it shows. */
const UndoDialog = lazy(async () => ({ default: (await import("../undo/undo-dialog.tsx")).UndoDialog }));

interface ThreadPageProps extends Omit<ThreadHeaderProps, "thread"> {
  readonly threadKey: ThreadKey;
  readonly onCommand: (name: SlashCommandName, argument: string) => Promise<void>;
}

/** A thread: header, log, open question, composer. */
export function ThreadPage({ threadKey, onCommand, ...header }: ThreadPageProps): ReactNode {
  const thread = useThread(threadKey);
  const hub = useStore((state) => state.hubs.find(({ id }) => id === threadKey.hub) ?? null);
  useOpenThread(threadKey, hub?.state === "ready");
  if (hub === null) {
    return (
      <>
        <PageHeader onSidebar={header.onSidebar} />
        <div className="app-center">
          <EmptyState
            title={appWords.threadsServerNotConnected}
            action={<Button onClick={() => navigate(newHref())}>{appWords.newThread}</Button>}
          >
            {appWords.serverRemovedNotRunningStart}
          </EmptyState>
        </div>
      </>
    );
  }
  if (thread === null) {
    return (
      <>
        <PageHeader onSidebar={header.onSidebar} />
        <div className="app-center">
          <Spinner label={hub.state === "ready" ? appWords.openingThread : appWords.waiting(hub.name)} />
        </div>
      </>
    );
  }
  return (
    <>
      <ThreadHeader {...header} thread={thread} />
      <ErrorBoundary what={appWords.threadCouldNotShown} resetKey={keyText(threadKey)}>
        <Course thread={thread} threadKey={threadKey} />
        <Foot thread={thread} hub={hub} onCommand={onCommand} />
      </ErrorBoundary>
    </>
  );
}

/** Opens the thread in view, again whenever its server is back. */
function useOpenThread({ hub, thread }: ThreadKey, ready: boolean): void {
  const actions = useActions();
  useEffect(() => {
    if (!ready) return;
    // Why it cannot be opened is shown in its place.
    actions.openThread({ hub, thread }).catch(() => undefined);
    return () => actions.leaveThread({ hub, thread });
  }, [actions, hub, thread, ready]);
}

interface CourseProps {
  readonly thread: ThreadState;
  readonly threadKey: ThreadKey;
}

function Course({ thread, threadKey: { hub, thread: id } }: CourseProps): ReactNode {
  const actions = useActions();
  const threads = useStore((state) => state.threads);
  const home = useStore((state) => state.gateway?.home ?? null);
  // What is rendered for a question must stay the same function while items stream.
  const items = useRef(thread.items);
  items.current = thread.items;
  const loadOlder = useCallback(() => {
    actions.loadOlder({ hub, thread: id }).catch((error: unknown) => actions.toast("error", messageOf(error)));
  }, [actions, hub, id]);
  const [undoing, setUndoing] = useState<string | null>(null);
  const mark = useUndoMark(keyText({ hub, thread: id }));
  const shown = useMemo(() => shownThread(thread, mark), [thread, mark]);
  const { activeTurn, error } = thread;
  const canUndo =
    activeTurn === null && error === null && !thread.summary.archived && thread.summary.status !== "disconnected";
  const open = useCallback((threadId: string) => navigate(threadHref({ hub, thread: threadId })), [hub]);
  const retry = useCallback(() => void actions.openThread({ hub, thread: id }), [actions, hub, id]);
  const agentName = useCallback(
    (threadId: string) => {
      const summary = threads.get(keyText({ hub, thread: threadId }));
      return summary === undefined ? null : (summary.agentNickname ?? threadTitle(summary));
    },
    [threads, hub],
  );
  const readFile = useCallback(
    async (path: string) => (await actions.request(hub, "fs/readFile", { path })).dataBase64,
    [actions, hub],
  );
  const agentOf = useAgentOf({ hub, thread: id });
  const renderRequest = useCallback(
    (request: PendingRequest) => (
      <RequestCard
        request={request}
        item={items.current.get(request.itemId ?? "")?.item}
        home={home}
        agent={agentOf(request.threadId)}
      />
    ),
    [home, agentOf],
  );
  return (
    <div className="app-course">
      <ThreadView
        thread={shown}
        onLoadOlder={loadOlder}
        onUndo={canUndo ? setUndoing : null}
        onOpenThread={open}
        onRetry={retry}
        agentName={agentName}
        readFile={readFile}
        renderRequest={renderRequest}
      />
      {undoing !== null && (
        <Suspense fallback={null}>
          <UndoDialog thread={thread} turnId={undoing} onClose={() => setUndoing(null)} />
        </Suspense>
      )}
    </div>
  );
}

/** Names the sub-agent of a thread's question; null for the thread itself. */
function useAgentOf({ hub, thread }: ThreadKey): (threadId: string) => string | null {
  const threads = useStore((state) => state.threads);
  return useCallback(
    (threadId: string) => {
      if (threadId === thread) return null;
      const summary = threads.get(keyText({ hub, thread: threadId }));
      return summary === undefined ? threadId.slice(-8) : (summary.agentNickname ?? threadTitle(summary));
    },
    [threads, hub, thread],
  );
}

interface FootProps {
  readonly thread: ThreadState;
  readonly hub: HubView;
  readonly onCommand: (name: SlashCommandName, argument: string) => Promise<void>;
}

function Foot({ thread, hub, onCommand }: FootProps): ReactNode {
  const actions = useActions();
  const { sendKey, followUp } = usePreferences();
  const home = useStore((state) => state.gateway?.home ?? null);
  const { key, archived } = thread.summary;
  const queue = useServerQueue(thread);
  const agentOf = useAgentOf(key);
  const mark = useUndoMark(keyText(key));
  const [unarchived, setUnarchived] = useState<string | null>(null);
  const cwd = thread.settings.cwd || thread.summary.cwd;
  return (
    <div className="app-foot">
      <ApprovalBar
        requests={thread.pending}
        agentOf={agentOf}
        itemOf={(itemId) => thread.items.get(itemId)?.item}
        serverVersion={hub.version}
        home={home}
        onAnswer={actions.answer}
        onRefuse={actions.refuse}
        onExplain={(threadId, text) =>
          actions.steer({ hub: key.hub, thread: threadId }, [{ type: "text", text, text_elements: [] }])
        }
      />
      {holds(thread, mark) && <UndoDock thread={thread} mark={mark} />}
      {!archived && !(holds(thread, mark) && mark.turnId !== null) && (
        <NextStep
          key={key.thread}
          thread={thread}
          disabled={disabledReason(thread, hub) !== null}
          onCompact={() => actions.compact(key)}
          onSend={(input, overrides) => actions.send(key, input, overrides)}
        />
      )}
      {!archived && (
        <CommentsBar
          thread={keyText(key)}
          disabled={disabledReason(thread, hub) !== null}
          onSend={(text) =>
            (thread.activeTurn === null ? actions.send : actions.steer)(key, [
              { type: "text", text, text_elements: [] },
            ])
          }
        />
      )}
      {archived ? (
        <Notice
          actions={
            <Button
              size="small"
              onClick={() => {
                setUnarchived(key.thread);
                actions.unarchive(key).catch((error: unknown) => actions.toast("error", messageOf(error)));
              }}
            >
              {appWords.unarchive}
            </Button>
          }
        >
          {appWords.threadArchivedUnarchiveContinue}
        </Notice>
      ) : (
        <Composer
          key={keyText(key)}
          draftKey={keyText(key)}
          hasThread
          working={hub.state === "ready" && (thread.activeTurn !== null || thread.summary.status === "working")}
          disabledReason={disabledReason(thread, hub)}
          settings={thread.settings}
          models={hub.models}
          modelProblem={modelProblem(hub, thread.settings)}
          modes={hub.modes}
          sendKey={sendKey}
          followUp={followUp}
          onFollowUp={(mode) => writePreferences({ followUp: mode })}
          queue={queue}
          asking={thread.pending.some(({ answered }) => answered === null)}
          onSend={(input, overrides) => actions.send(key, input, overrides)}
          onSteer={(input) => actions.steer(key, input)}
          onStop={() => actions.interrupt(key)}
          onCommand={onCommand}
          searchFiles={(query) => actions.searchFiles(key.hub, query, cwd)}
          listSkills={() => actions.listSkills(key.hub, cwd)}
          autoFocus={(thread.turns.length === 0 && !thread.loading) || unarchived === key.thread}
        />
      )}
    </div>
  );
}

function disabledReason(thread: ThreadState, hub: HubView): string | null {
  if (hub.state !== "ready") return appWords.notConnectedWriteKept(hub.name);
  if (thread.error !== null) return appWords.threadCouldNotOpened;
  return null;
}
