import {
  Archive,
  ArrowLeft,
  Command,
  ListTree,
  PanelLeft,
  Plus,
  Search,
  Server,
  Settings,
  Workflow,
} from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { navigate, newHref } from "../navigation/routes.ts";
import { usePreferences, writePreferences } from "../side-panel/index.ts";
import { keyText, type ThreadKey } from "../state/index.ts";
import { useStore } from "../state/react.tsx";
import { Button, IconButton, Spinner, TextInput } from "../ui/index.ts";
import { sidebarWords, attentionWords as words } from "../words/words.ts";
import { AddServer } from "./add-server.tsx";
import { ArchivedList } from "./archived-list.tsx";
import { SearchResults } from "./search-results.tsx";
import { Threads } from "./threads.tsx";
import "./sidebar.css";

interface SidebarProps {
  readonly current: ThreadKey | null;
  readonly onPalette: () => void;
  readonly onSettings: () => void;
  /** Hides the sidebar; absent where it cannot be hidden. */
  readonly onHide?: (() => void) | undefined;
}

/** The servers and their threads: what there is, what it is doing, and how to get there. */
export function Sidebar({ current, onPalette, onSettings, onHide }: SidebarProps): ReactNode {
  const [term, setTerm] = useState("");
  const [archived, setArchived] = useState(false);
  const [adding, setAdding] = useState(false);
  const oneList = usePreferences().threadList === "recent";
  const orchestrator = useStore((state) => state.gateway?.orchestrator ?? null);
  return (
    <nav className="sidebar" aria-label={sidebarWords.threads}>
      <div className="sidebar-top">
        <a className="sidebar-brand" href="#/" title={sidebarWords.quire}>
          {sidebarWords.quire}
        </a>
        {onHide !== undefined && (
          <IconButton
            label={sidebarWords.hideSidebar}
            shortcut="Mod+B"
            icon={<PanelLeft size={16} />}
            onClick={onHide}
          />
        )}
      </div>
      <div className="sidebar-tools">
        <Button className="sidebar-new" icon={<Plus size={16} />} onClick={() => navigate(newHref())}>
          {sidebarWords.newThreadTitle}
        </Button>
        <div className="sidebar-search">
          <Search size={14} aria-hidden="true" />
          <TextInput
            type="search"
            aria-label={sidebarWords.searchThreads}
            placeholder={sidebarWords.searchThreads}
            value={term}
            onChange={(event) => setTerm(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape" && term !== "") {
                event.stopPropagation();
                setTerm("");
              }
            }}
          />
        </div>
      </div>
      <div className="sidebar-scroll">
        <Lists term={term.trim()} archived={archived} current={current} onBack={() => setArchived(false)} />
      </div>
      <div className="sidebar-bottom">
        {orchestrator !== null && (
          <Button variant="ghost" icon={<Workflow size={16} />} onClick={() => navigate("#/orchestrator")}>
            {sidebarWords.orchestrator}
          </Button>
        )}
        <IconButton
          label={sidebarWords.archivedThreadsTitle}
          active={archived}
          aria-pressed={archived}
          icon={<Archive size={16} />}
          onClick={() => setArchived(!archived)}
        />
        <IconButton
          label={oneList ? words.byServer : words.oneList}
          active={oneList}
          icon={<ListTree size={16} />}
          onClick={() => writePreferences({ threadList: oneList ? "servers" : "recent" })}
        />
        <IconButton label={sidebarWords.addServer} icon={<Server size={16} />} onClick={() => setAdding(true)} />
        <IconButton
          label={sidebarWords.commandPalette}
          shortcut="Mod+K"
          icon={<Command size={16} />}
          onClick={onPalette}
        />
        <IconButton label={sidebarWords.settings} shortcut="Mod+," icon={<Settings size={16} />} onClick={onSettings} />
      </div>
      {adding && <AddServer onClose={() => setAdding(false)} />}
    </nav>
  );
}

interface ListsProps {
  readonly term: string;
  readonly archived: boolean;
  readonly current: ThreadKey | null;
  readonly onBack: () => void;
}

function Lists({ term, archived, current, onBack }: ListsProps): ReactNode {
  const hubs = useStore((state) => state.hubs);
  const home = useStore((state) => state.gateway?.home ?? null);
  const link = useStore((state) => state.link);
  const nowMs = useNow();
  const shown = current === null ? null : keyText(current);
  if (term !== "") return <SearchResults term={term} current={shown} nowMs={nowMs} />;
  if (archived) {
    return (
      <>
        <Button size="small" variant="ghost" className="sidebar-back" icon={<ArrowLeft size={14} />} onClick={onBack}>
          {sidebarWords.archivedThreadsTitle}
        </Button>
        {hubs.map((hub) => (
          <ArchivedList key={hub.id} hub={hub} named={hubs.length > 1} current={shown} nowMs={nowMs} />
        ))}
      </>
    );
  }
  if (hubs.length === 0) {
    return link === "open" ? (
      <p className="sidebar-quiet">{sidebarWords.noServerYetAddAddress}</p>
    ) : (
      <Spinner label={sidebarWords.connectingWord} />
    );
  }
  return <Threads current={shown} home={home} nowMs={nowMs} />;
}

/** A clock that is good enough for "2h": it moves twice a minute. */
function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
