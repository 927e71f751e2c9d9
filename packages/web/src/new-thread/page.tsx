import { FolderOpen, Server } from "lucide-react";
import { lazy, type ReactNode, Suspense, useId, useMemo, useState } from "react";
import { Composer, type ComposerProps, keepUnsent, type SlashCommandName } from "../composer/index.ts";
import { navigate, newHref, threadHref } from "../navigation/routes.ts";
import { usePreferences, writePreferences } from "../side-panel/index.ts";
import { type HubView, keyText, messageOf } from "../state/index.ts";
import { useActions, useStore } from "../state/react.tsx";
import { shortPath } from "../state/thread-title.ts";
import { Button, EmptyState, Notice, Select, TextInput } from "../ui/index.ts";
import { fileWords, modelWords, newThreadWords } from "../words/words.ts";
import { Examples, offlineModel } from "./examples.tsx";
import { lookAt, useFolder, wholePath } from "./folder-state.ts";
import { modelProblem } from "./model-problem.ts";
import { useNewThreadSettings } from "./settings.ts";
import { isRepository, newWorktree, WorktreeSwitch } from "./worktree-switch.tsx";

/** Loaded when it is opened. */
const FolderPicker = lazy(async () => ({ default: (await import("../files/folder-picker.tsx")).FolderPicker }));

interface NewThreadPageProps {
  readonly hub: string | null;
  readonly cwd: string | null;
  readonly onCommand: (name: SlashCommandName, argument: string) => Promise<void>;
  /** Shows where one signs in. */
  readonly onSignIn: () => void;
  /** Shows where a model is connected: an account, a key, a server on this machine. */
  readonly onConnect: () => void;
}

/** The page for a new thread: server, folder, first message. */
export function NewThreadPage({
  hub: wanted,
  cwd: given,
  onCommand,
  onSignIn,
  onConnect,
}: NewThreadPageProps): ReactNode {
  const hubs = useStore((state) => state.hubs);
  const gatewayCwd = useStore((state) => state.gateway?.cwd ?? "");
  const hub = chooseHub(hubs, wanted);
  const [typed, setTyped] = useState<string | null>(null);
  const folder = typed ?? given ?? gatewayCwd;
  const home = useStore((state) => state.gateway?.home ?? "");
  const cwd = wholePath(folder, { home, cwd: gatewayCwd });
  const [apart, setApart] = useState(false);
  if (hub === undefined) {
    return (
      <div className="app-center">
        <EmptyState icon={<Server size={24} />} title={newThreadWords.noServerConnected}>
          {newThreadWords.start} <code>quire up</code> {newThreadWords.or}{" "}
          <code>codex app-server --listen ws://127.0.0.1:4500</code>
          {newThreadWords.addAddressSidebar}
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="app-new">
      <h1 className="app-new-title">{newThreadWords.shouldWeBuild}</h1>
      <div className="app-new-where">
        {hubs.length > 1 && (
          <Select
            aria-label={newThreadWords.server}
            value={hub.id}
            options={hubs.map(({ id, name, state }) => ({
              value: id,
              label: state === "ready" ? name : `${name} (${state})`,
            }))}
            onChange={(id) => navigate(newHref(id, given))}
          />
        )}
        <FolderField hub={hub} typed={folder} cwd={cwd} onChange={setTyped} />
        <WorktreeSwitch hub={hub} cwd={cwd} apart={apart} onApart={setApart} />
      </div>
      <SignInHint hub={hub} onSignIn={onSignIn} onConnect={onConnect} />
      <FirstMessage key={hub.id} hub={hub} cwd={cwd} apart={apart} onCommand={onCommand} onConnect={onConnect} />
    </div>
  );
}

interface SignInHintProps {
  readonly hub: HubView;
  readonly onSignIn: () => void;
  readonly onConnect: () => void;
}

/** Says before the first message that the server can ask no model yet. */
function SignInHint({ hub, onSignIn, onConnect }: SignInHintProps): ReactNode {
  const { value } = hub.account;
  if (hub.state !== "ready" || value === null || value.account !== null || !value.requiresOpenaiAuth) return null;
  return (
    <Notice
      tone="warning"
      actions={
        <>
          <Button size="small" onClick={onSignIn}>
            {newThreadWords.sign}
          </Button>
          <Button size="small" variant="ghost" onClick={onConnect}>
            {modelWords.connect}
          </Button>
        </>
      }
    >
      {hub.name} {newThreadWords.needsAccountBeforeCanAsk}
    </Notice>
  );
}

/** The named hub, else the first that is ready, else the first. */
function chooseHub(hubs: readonly HubView[], wanted: string | null): HubView | undefined {
  return hubs.find(({ id }) => id === wanted) ?? hubs.find(({ state }) => state === "ready") ?? hubs[0];
}

interface FolderFieldProps {
  readonly hub: HubView;
  /** The folder as it was typed. */
  readonly typed: string;
  /** Its whole path. */
  readonly cwd: string;
  readonly onChange: (cwd: string) => void;
}

/** The folder to work in: completed from the server's disk and its threads, and made where it is not there yet. */
function FolderField({ hub, typed, cwd, onChange }: FolderFieldProps): ReactNode {
  const actions = useActions();
  const { state, folders: found, create } = useFolder(hub, cwd);
  const list = useId();
  const [picking, setPicking] = useState(false);
  const threads = useStore((state) => state.threads);
  const home = useStore((state) => state.gateway?.home ?? null);
  const folders = useMemo(() => {
    const used = (hub.threads.value ?? []).flatMap((key) => threads.get(key)?.cwd ?? []);
    return [...new Set([...used.filter((folder) => folder !== "").slice(0, 20), ...found])];
  }, [hub.threads.value, threads, found]);
  const shown = shortPath(cwd, home);
  return (
    <>
      <div className="app-new-folder" title={shown}>
        <FolderOpen size={16} aria-hidden="true" />
        <TextInput
          aria-label={newThreadWords.folder}
          list={list}
          value={typed}
          aria-invalid={state === "missing" || state === "file" || undefined}
          spellCheck={false}
          autoComplete="off"
          placeholder={newThreadWords.folderWork}
          onChange={(event) => onChange(event.target.value)}
        />
        <Button size="small" variant="ghost" disabled={hub.state !== "ready"} onClick={() => setPicking(true)}>
          {fileWords.browse}
        </Button>
        <datalist id={list}>
          {folders.map((folder) => (
            <option key={folder} value={folder} />
          ))}
        </datalist>
      </div>
      {picking && (
        <Suspense fallback={null}>
          <FolderPicker
            hub={hub.id}
            start={state === "missing" || state === "file" ? (home ?? "/") : cwd}
            onChoose={onChange}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
      {state === "file" && (
        <Notice tone="danger">
          {shown} {newThreadWords.isFileChooseFolder}
        </Notice>
      )}
      {state === "missing" && (
        <Notice
          tone="warning"
          actions={
            <Button
              size="small"
              onClick={() => void create().catch((error: unknown) => actions.toast("error", messageOf(error)))}
            >
              {newThreadWords.createFolder}
            </Button>
          }
        >
          {shown} {newThreadWords.doesNotExist} {hub.name}.
        </Notice>
      )}
    </>
  );
}

interface FirstMessageProps {
  readonly hub: HubView;
  readonly cwd: string;
  /** The thread gets a worktree of its own. */
  readonly apart: boolean;
  readonly onCommand: (name: SlashCommandName, argument: string) => Promise<void>;
  readonly onConnect: () => void;
}

function FirstMessage({ hub, cwd, apart, onCommand, onConnect }: FirstMessageProps): ReactNode {
  const actions = useActions();
  const { sendKey, followUp } = usePreferences();
  const settings = useNewThreadSettings(hub, cwd);
  const begin: ComposerProps["onSend"] = async (input, overrides) => {
    const there = cwd === "" ? "unknown" : await lookAt(actions, hub, cwd);
    if (there === "missing") throw new Error(newThreadWords.doesNotExistCreateChoose(cwd));
    if (there === "file") throw new Error(newThreadWords.fileChooseFolder(cwd));
    const folder =
      apart && (await isRepository(actions, hub, cwd)) ? await newWorktree(actions, { hub, cwd, input }) : cwd;
    const key = await actions.newThread(hub.id, folder === "" ? {} : { cwd: folder });
    // The thread is shown at once: what the first turn does is worth watching, also if it fails to start.
    navigate(threadHref(key));
    try {
      await actions.send(key, input, overrides);
    } catch (error) {
      keepUnsent(keyText(key), input, overrides);
      actions.toast("error", newThreadWords.messageNotSent(messageOf(error)));
    }
  };
  const tryExample = (text: string): void => {
    begin([{ type: "text", text }], {}).catch((error: unknown) => actions.toast("error", messageOf(error)));
  };
  return (
    <>
      <Composer
        draftKey={`new ${hub.id}`}
        hasThread={false}
        working={false}
        disabledReason={hub.state === "ready" ? null : (hub.error ?? newThreadWords.notConnectedYet(hub.name))}
        settings={settings}
        models={hub.models}
        modelProblem={modelProblem(hub, settings)}
        modes={hub.modes}
        sendKey={sendKey}
        followUp={followUp}
        onFollowUp={(mode) => writePreferences({ followUp: mode })}
        onSend={begin}
        onSteer={async () => undefined}
        onStop={async () => undefined}
        onCommand={onCommand}
        searchFiles={(query) => actions.searchFiles(hub.id, query, cwd)}
        listSkills={() => actions.listSkills(hub.id, cwd)}
        autoFocus
      />
      {settings.model === offlineModel ? (
        <Examples onChoose={tryExample} onConnect={onConnect} />
      ) : (
        <p className="app-new-hint">{newThreadWords.agentWorksFolderBeforeRuns}</p>
      )}
    </>
  );
}
