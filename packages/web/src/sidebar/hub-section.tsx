import type { HubState } from "@quire/protocol/gateway";
import { Ellipsis, Plus, RefreshCw, RotateCw, Server, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { navigate, newHref } from "../navigation/routes.ts";
import { type HubView, messageOf } from "../state/index.ts";
import { useActions } from "../state/react.tsx";
import { Button, IconButton, Menu, type MenuItem, Spinner } from "../ui/index.ts";
import { sidebarWords } from "../words/words.ts";
import { FolderSection } from "./folder-section.tsx";
import type { FolderGroup } from "./group-threads.ts";

interface HubSectionProps {
  readonly hub: HubView;
  readonly groups: readonly FolderGroup[];
  /** True for a server without any thread. */
  readonly empty: boolean;
  readonly current: string | null;
  readonly home: string | null;
  readonly nowMs: number;
}

/** A server: the state of its link, and its threads by folder. */
export function HubSection({ hub, groups, empty, current, home, nowMs }: HubSectionProps): ReactNode {
  return (
    <section className="sidebar-hub" data-hub={hub.id} aria-label={hub.name}>
      <HubHead hub={hub} />
      {groups.map((group) => (
        <FolderSection key={group.cwd} hub={hub.id} group={group} current={current} home={home} nowMs={nowMs} />
      ))}
      <HubFoot hub={hub} empty={empty} />
    </section>
  );
}

function HubHead({ hub }: { readonly hub: HubView }): ReactNode {
  const actions = useActions();
  const items: MenuItem[] = [
    {
      id: "new",
      label: sidebarWords.newThreadTitle,
      icon: <Plus size={16} />,
      disabled: hub.state !== "ready",
      onSelect: () => navigate(newHref(hub.id)),
    },
    {
      id: "refresh",
      label: sidebarWords.reloadThreads,
      icon: <RefreshCw size={16} />,
      disabled: hub.state !== "ready",
      onSelect: () => void actions.refreshThreads(hub.id),
    },
    {
      id: "reconnect",
      label: sidebarWords.reconnect,
      icon: <RotateCw size={16} />,
      onSelect: () => actions.reconnectHub(hub.id),
    },
  ];
  if (hub.kind !== "embedded") {
    items.push({
      id: "remove",
      label: sidebarWords.removeServer,
      icon: <Trash2 size={16} />,
      danger: true,
      onSelect: () => actions.removeHub(hub.id),
    });
  }
  return (
    <div className="sidebar-hub-head">
      <span className={`sidebar-hub-name is-${hub.state}`} title={hub.address ?? hub.name}>
        <Server size={14} aria-hidden="true" />
        <span>{hub.name}</span>
        {hub.kind !== "embedded" && hub.version !== null && !hub.name.includes(hub.version) && (
          <span className="sidebar-hub-version">{hub.version}</span>
        )}
        <span className="sidebar-hub-dot" aria-hidden="true" />
        <span className="visually-hidden">{stateWords(hub)}</span>
      </span>
      <Menu
        label={sidebarWords.actions(hub.name)}
        align="end"
        sections={[{ items }]}
        trigger={(props) => (
          <IconButton
            {...props}
            className="sidebar-kebab"
            label={sidebarWords.actions(hub.name)}
            icon={<Ellipsis size={16} />}
          />
        )}
      />
    </div>
  );
}

/** The reason why threads are missing, and what to do about it. */
function HubFoot({ hub, empty }: { readonly hub: HubView; readonly empty: boolean }): ReactNode {
  const actions = useActions();
  if (hub.state !== "ready") {
    return (
      <div className="sidebar-hub-state">
        <p role="status">
          {stateWords(hub)}
          {hub.error !== null && <span className="sidebar-hub-error">{hub.error}</span>}
        </p>
        {hub.state !== "connecting" && (
          <Button size="small" onClick={() => actions.reconnectHub(hub.id)}>
            {sidebarWords.reconnect}
          </Button>
        )}
      </div>
    );
  }
  if (hub.threads.error !== null) {
    return (
      <div className="sidebar-hub-state">
        <p role="alert">
          {sidebarWords.threadsCouldNotLoaded} {hub.threads.error}
        </p>
        <Button size="small" onClick={() => void actions.refreshThreads(hub.id)}>
          {sidebarWords.tryAgain}
        </Button>
      </div>
    );
  }
  if (hub.threads.value === null) return <p className="sidebar-quiet">{sidebarWords.loadingThreadsMore}</p>;
  if (hub.moreThreads !== null) {
    const more = (): void => {
      actions.loadMoreThreads(hub.id).catch((error: unknown) => actions.toast("error", messageOf(error)));
    };
    return (
      <Button size="small" variant="ghost" className="sidebar-more" busy={hub.threads.loading} onClick={more}>
        {sidebarWords.loadMore}
      </Button>
    );
  }
  if (empty && hub.threads.loading) return <Spinner label={sidebarWords.loadingThreads} />;
  return empty ? <p className="sidebar-quiet">{sidebarWords.noThreadsYetFirstMessage}</p> : null;
}

function stateWords({ state, attempt }: HubView): string {
  const words: Readonly<Record<HubState, string>> = {
    ready: sidebarWords.connected,
    connecting: sidebarWords.connecting,
    reconnecting: sidebarWords.reconnectingTry10(attempt),
    disconnected: sidebarWords.notConnected,
  };
  return words[state];
}
