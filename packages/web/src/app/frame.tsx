import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { SettingsDialog, StatusDialog } from "../beside/index.ts";
import { type SlashCommandName, useQueueRunner } from "../composer/index.ts";
import { ShortcutsDialog, useShortcuts } from "../palette/index.ts";
import { Sidebar } from "../sidebar/index.ts";
import { type HubView, messageOf, type ThreadKey, useActions, useStore, useThread } from "../state/index.ts";
import type { PageStore } from "../state/page-store.ts";
import { Beside } from "./beside.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Layout, useSidebarOpen } from "./layout.tsx";
import { MainPart } from "./main-part.tsx";
import { narrowQuery, useMedia } from "./media.ts";
import { Palette, type PaletteCommands } from "./palette.tsx";
import { type Route, useRoute } from "./routes.ts";
import { runCommand } from "./thread-commands.ts";
import { useThreadKeys } from "./thread-keys.ts";

type Opened = "palette" | "settings" | "shortcuts" | "status" | null;

/** The page once it is connected: sidebar, main part, panel, and what lies over them. */
export function Frame({ store }: { readonly store: PageStore }): ReactNode {
  const actions = useActions();
  const route = useRoute();
  const current = route.page === "thread" ? route.key : null;
  const thread = useThread(current);
  const hub = useCurrentHub(route);
  const narrow = useMedia(narrowQuery);
  const [sidebarOpen, setSidebarOpen] = useSidebarOpen();
  const [besideOpen, setBesideOpen] = useState(false);
  const [terminalOpen, setTerminalOpen] = useState(false);
  const [opened, setOpened] = useState<Opened>(null);
  useViewed(store, current);
  useThreadKeys(store, current);
  useQueues();
  // A choice in the sheet leads to what was chosen; on a narrow screen the panel would lie over it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the route is what it reacts to
  useEffect(() => {
    if (matchMedia("(max-width: 767px)").matches) setSidebarOpen(false);
    if (narrow) setBesideOpen(false);
  }, [route]);

  const working = thread !== null && thread.activeTurn !== null;
  const commands = useMemo(
    (): PaletteCommands => ({
      sidebar: () => setSidebarOpen(!sidebarOpen),
      settings: () => setOpened("settings"),
      overview: () => setOpened("shortcuts"),
      beside: hub === null ? null : () => setBesideOpen(!besideOpen),
      terminal: current === null ? null : () => setTerminalOpen(!terminalOpen),
      stop:
        working && current !== null
          ? () => actions.interrupt(current).catch((error: unknown) => actions.toast("error", messageOf(error)))
          : null,
    }),
    [actions, hub, current, working, sidebarOpen, setSidebarOpen, besideOpen, terminalOpen],
  );
  useShortcuts({
    palette: () => setOpened("palette"),
    sidebar: commands.sidebar,
    terminal: commands.terminal ?? undefined,
    stop: commands.stop ?? undefined,
    settings: commands.settings,
    overview: commands.overview,
  });
  const cwd = thread?.settings.cwd ?? (route.page === "new" ? route.cwd : null);
  const onCommand = useCallback(
    (name: SlashCommandName, argument: string) =>
      runCommand({ actions, key: current, cwd, onStatus: () => setOpened("status") }, name, argument),
    [actions, current, cwd],
  );
  return (
    <>
      <Layout
        sidebarOpen={sidebarOpen}
        onSidebarClose={() => setSidebarOpen(false)}
        onBesideClose={() => setBesideOpen(false)}
        sidebar={
          <ErrorBoundary what="The sidebar could not be shown">
            <Sidebar current={current} onSettings={() => setOpened("settings")} onHide={() => setSidebarOpen(false)} />
          </ErrorBoundary>
        }
        main={
          <MainPart
            route={route}
            onSidebar={sidebarOpen ? undefined : () => setSidebarOpen(true)}
            besideOpen={besideOpen}
            onBeside={() => setBesideOpen(!besideOpen)}
            terminalOpen={terminalOpen}
            onTerminal={() => setTerminalOpen(!terminalOpen)}
            onCommand={onCommand}
          />
        }
        beside={
          besideOpen && hub !== null ? (
            <ErrorBoundary what="The panel could not be shown">
              <Beside key={hub.id} hub={hub} thread={thread} onClose={() => setBesideOpen(false)} />
            </ErrorBoundary>
          ) : null
        }
      />
      {opened === "palette" && (
        <Palette current={thread?.summary ?? null} commands={commands} onClose={() => setOpened(null)} />
      )}
      {opened === "settings" && (
        <SettingsDialog onClose={() => setOpened(null)} onShortcuts={() => setOpened("shortcuts")} />
      )}
      {opened === "shortcuts" && <ShortcutsDialog onClose={() => setOpened(null)} />}
      {opened === "status" && thread !== null && (
        <StatusDialog
          thread={thread}
          models={hub?.models.value ?? []}
          hubName={hub?.name ?? ""}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

/** The hub of the thread in view, or the one on which a thread is about to begin. */
function useCurrentHub(route: Route): HubView | null {
  const wanted = route.page === "thread" ? route.key.hub : route.page === "new" ? route.hub : null;
  return useStore((state) => state.hubs.find(({ id }) => id === wanted) ?? state.hubs[0] ?? null);
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

/** Sends what waits in queues as soon as turns end, also for threads that are not in view. */
function useQueues(): void {
  const actions = useActions();
  const open = useStore((state) => state.open);
  useQueueRunner(open, actions.send);
}
