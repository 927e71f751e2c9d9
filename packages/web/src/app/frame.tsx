import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type SlashCommandName, useQueueRunner } from "../composer/index.ts";
import { showFile, useFileTarget } from "../navigation/file-target.ts";
import { previewAddress, showPreview, usePreview } from "../navigation/preview-target.ts";
import { type Route, useRoute } from "../navigation/routes.ts";
import { ShortcutsDialog, useShortcuts } from "../palette/index.ts";
import type { SectionId } from "../settings/index.ts";
import type { SidePanelTab } from "../side-panel/index.ts";
import { Sidebar } from "../sidebar/index.ts";
import { type HubView, keyText, messageOf, type ThreadKey, useActions, useStore, useSummary } from "../state/index.ts";
import type { PageStore } from "../state/page-store.ts";
import { stepMessage } from "../thread/find/message-steps.ts";
import { focusMain, Spinner } from "../ui/index.ts";
import { narrowQuery, phoneQuery, useMedia } from "../ui/use-media.ts";
import { appWords, attentionWords } from "../words/words.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Layout, useSidebarOpen } from "./layout.tsx";
import { MainPart } from "./main-part.tsx";
import { Palette, type PaletteCommands } from "./palette.tsx";
import { Status } from "./status.tsx";
import { Terminals } from "./terminals.tsx";
import { runCommand } from "./thread-commands.ts";
import { goToNext, useThreadKeys } from "./thread-keys.ts";

/** Loaded when it is opened. */
const ThreadSidePanel = lazy(async () => ({ default: (await import("./side-panel.tsx")).ThreadSidePanel }));
/** Loaded when it is opened: most of the page's forms are in it. */
const SettingsDialog = lazy(async () => ({ default: (await import("../settings/index.ts")).SettingsDialog }));

type Opened = "palette" | "settings" | "shortcuts" | "status" | null;

/**
 * The page once it is connected: sidebar, main part, panel, and what lies over them. It reads nothing that streams, so
 * that a turn at work renders the thread alone.
 */
export function Frame({ store }: { readonly store: PageStore }): ReactNode {
  const actions = useActions();
  const route = useRoute();
  const current = route.page === "thread" ? route.key : null;
  const hub = useCurrentHub(route);
  const { working, cwd } = useCurrentFacts(route);
  const summary = useSummary(current);
  const [sidebarOpen, setSidebarOpen] = useSidebarOpen();
  const [panelOpen, setPanelOpen] = useState(false);
  const [panelTab, setPanelTab] = useState<SidePanelTab>("changes");
  const [terminalOpen, setTerminalOpen] = useTerminalOpen();
  const [opened, setOpened] = useState<Opened>(null);
  const [section, setSection] = useState<SectionId>("general");
  const openSettings = useCallback((wanted: SectionId): void => {
    setSection(wanted);
    setOpened("settings");
  }, []);
  useViewed(store, current);
  useThreadKeys(store, current);
  useSidebarFocus(sidebarOpen);
  const file = useFileTarget();
  useEffect(() => {
    if (file === null) return;
    setPanelTab("files");
    setPanelOpen(true);
  }, [file]);
  const preview = usePreview();
  useEffect(() => {
    if (preview === null) return;
    setPanelTab("preview");
    setPanelOpen(true);
  }, [preview]);
  useMakeRoom(route, { sidebar: setSidebarOpen, panel: setPanelOpen });

  const commands = useMemo(
    (): PaletteCommands => ({
      sidebar: () => setSidebarOpen(!sidebarOpen),
      next: () => {
        if (!goToNext(store, current)) actions.toast("info", attentionWords.nothing);
      },
      settings: () => openSettings("general"),
      overview: () => setOpened("shortcuts"),
      panel: hub === null ? null : () => setPanelOpen(!panelOpen),
      terminal: current === null ? null : () => setTerminalOpen(!terminalOpen),
      stop:
        working && current !== null
          ? () => {
              actions.interrupt(current).catch((error: unknown) => actions.toast("error", messageOf(error)));
            }
          : null,
    }),
    [
      actions,
      store,
      hub,
      current,
      working,
      sidebarOpen,
      setSidebarOpen,
      panelOpen,
      terminalOpen,
      setTerminalOpen,
      openSettings,
    ],
  );
  useShortcuts({
    palette: () => setOpened("palette"),
    sidebar: commands.sidebar,
    terminal: commands.terminal ?? undefined,
    stop: commands.stop ?? undefined,
    next: commands.next,
    previousMessage: () => stepMessage(-1),
    nextMessage: () => stepMessage(1),
    settings: commands.settings,
    overview: commands.overview,
    message: focusMain,
  });
  const onCommand = useCallback(
    (name: SlashCommandName, argument: string) =>
      runCommand({ actions, key: current, cwd, onStatus: () => setOpened("status") }, name, argument),
    [actions, current, cwd],
  );
  const close = (): void => setOpened(null);
  return (
    <>
      <QueueRunner />
      <button type="button" className="app-skip" onClick={focusMain}>
        {appWords.skipMessage}
      </button>
      <Layout
        sidebarOpen={sidebarOpen}
        onSidebarClose={() => setSidebarOpen(false)}
        onPanelClose={() => setPanelOpen(false)}
        sidebar={
          <ErrorBoundary what={appWords.sidebarCouldNotShown}>
            <Sidebar
              current={current}
              onPalette={() => setOpened("palette")}
              onSettings={commands.settings}
              onHide={() => setSidebarOpen(false)}
            />
          </ErrorBoundary>
        }
        main={
          <>
            <MainPart
              route={route}
              onSidebar={sidebarOpen ? undefined : () => setSidebarOpen(true)}
              panelOpen={panelOpen}
              onPanel={() => setPanelOpen(!panelOpen)}
              terminalOpen={terminalOpen}
              onTerminal={() => setTerminalOpen(!terminalOpen)}
              onCommand={onCommand}
              onSignIn={() => {
                setPanelTab("account");
                setPanelOpen(true);
              }}
              onConnect={() => openSettings("models")}
            />
            <Terminals current={current} open={terminalOpen} onHide={() => setTerminalOpen(false)} onLink={openLink} />
          </>
        }
        panel={
          panelOpen && hub !== null ? (
            <ErrorBoundary what={appWords.panelCouldNotShown}>
              <Suspense fallback={<Spinner label={appWords.loading} />}>
                <ThreadSidePanel
                  key={hub.id}
                  hub={hub}
                  threadKey={current}
                  tab={panelTab}
                  onTab={setPanelTab}
                  onClose={() => setPanelOpen(false)}
                />
              </Suspense>
            </ErrorBoundary>
          ) : null
        }
      />
      {opened === "palette" && <Palette current={summary} commands={commands} onClose={close} />}
      {opened === "settings" && (
        <Suspense>
          <SettingsDialog
            section={section}
            hub={hub?.id ?? null}
            cwd={cwd}
            onClose={close}
            onShortcuts={() => setOpened("shortcuts")}
          />
        </Suspense>
      )}
      {opened === "shortcuts" && <ShortcutsDialog onClose={close} />}
      {opened === "status" && current !== null && <Status threadKey={current} hub={hub} onClose={close} />}
    </>
  );
}

/** Opens an address that was clicked in a terminal: a dev server beside the thread, anything else in a tab of its own. */
function openLink(href: string): void {
  const address = previewAddress(href);
  if (address === null) window.open(href, "_blank", "noopener,noreferrer");
  else showPreview(address);
}

/** The terminals' state, kept over a reload of this tab as they are. */
function useTerminalOpen(): readonly [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(() => sessionStorage.getItem(terminalKey) === "open");
  const set = useCallback((next: boolean): void => {
    setOpen(next);
    sessionStorage.setItem(terminalKey, next ? "open" : "hidden");
  }, []);
  return [open, set];
}

const terminalKey = "quire.terminal";

/** The hub of the thread in view, or the one on which a thread is about to begin. */
function useCurrentHub(route: Route): HubView | null {
  const wanted = route.page === "thread" ? route.key.hub : route.page === "new" ? route.hub : null;
  return useStore((state) => state.hubs.find(({ id }) => id === wanted) ?? state.hubs[0] ?? null);
}

/** Facts about the thread in view: whether a turn runs, and its folder. */
function useCurrentFacts(route: Route): { readonly working: boolean; readonly cwd: string | null } {
  const key = route.page === "thread" ? keyText(route.key) : "";
  const working = useStore(({ open }) => {
    const thread = open.get(key);
    return thread !== undefined && thread.activeTurn !== null && thread.summary.status !== "disconnected";
  });
  const cwd = useStore(({ open }) => open.get(key)?.settings.cwd ?? null);
  return { working, cwd: route.page === "new" ? route.cwd : cwd };
}

/** Tells the store what the user looks at, so that nothing in it counts as new. */
function useViewed(store: PageStore, current: ThreadKey | null): void {
  useEffect(() => {
    const look = (): void => store.view(document.visibilityState === "visible" ? current : null);
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [store, current]);
}

/** The button that hides or shows the sidebar goes away when it is pressed: the other one takes the focus. */
function useSidebarFocus(open: boolean): void {
  const before = useRef(open);
  useEffect(() => {
    if (before.current === open) return;
    before.current = open;
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(`button[aria-label="${open ? "Hide" : "Show"} sidebar"]`)?.focus();
  }, [open]);
}

/** A choice in the sheet leads to what was chosen; on a narrow screen the panel would lie over it. */
function useMakeRoom(
  route: Route,
  open: { readonly sidebar: (open: boolean) => void; readonly panel: (open: boolean) => void },
): void {
  const phone = useMedia(phoneQuery);
  const narrow = useMedia(narrowQuery);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the route is what it reacts to
  useEffect(() => {
    if (phone) open.sidebar(false);
    if (narrow) open.panel(false);
  }, [route]);
  const place = route.page === "thread" ? keyText(route.key) : route.page;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread has other files
  useEffect(() => showFile(null), [place]);
}

/** Sends what waits in queues as soon as turns end, also for threads that are not in view. */
function QueueRunner(): null {
  const actions = useActions();
  const open = useStore((state) => state.open);
  useQueueRunner(open, actions.send);
  return null;
}
