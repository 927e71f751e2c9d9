import { type ReactNode, useState } from "react";
import { DevicesSection } from "../devices/devices-section.tsx";
import { type HubView, useStore } from "../state/index.ts";
import { Dialog, EmptyState, Select } from "../ui/index.ts";
import { settingsWords as words } from "../words/words.ts";
import { ConfigSection } from "./config-section.tsx";
import { GeneralSection } from "./general-section.tsx";
import { HooksSection } from "./hooks-section.tsx";
import { KeysSection } from "./keys-section.tsx";
import { McpSection } from "./mcp-section.tsx";
import { ModelsSection } from "./models-section.tsx";
import { PermissionsSection } from "./permissions-section.tsx";
import { PluginsSection } from "./plugins-section.tsx";
import { RulesSection } from "./rules-section.tsx";
import { type SectionId, sections } from "./sections.ts";
import { SkillsSection } from "./skills-section.tsx";
import "./settings.css";

interface SettingsDialogProps {
  /** The section to begin with. */
  readonly section: SectionId;
  /** The server of the thread in view. */
  readonly hub: string | null;
  /** Its folder. */
  readonly cwd: string | null;
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** The settings of this browser and of each server. */
export function SettingsDialog({ section: first, hub: current, cwd, onClose, onShortcuts }: SettingsDialogProps) {
  const hubs = useStore((state) => state.hubs);
  const [chosen, setSection] = useState<SectionId>(first);
  const [hubId, setHub] = useState(current);
  const hub = hubs.find(({ id }) => id === hubId) ?? hubs[0];
  const section = sections.find(({ id }) => id === chosen);
  return (
    <Dialog title={words.title} onClose={onClose} size="large" className="settings">
      <div className="settings-body">
        <nav className="settings-nav" aria-label={words.title}>
          {sections.map(({ id, label }) => (
            <button
              key={id}
              type="button"
              className="settings-link"
              aria-current={id === chosen ? "page" : undefined}
              onClick={() => setSection(id)}
            >
              {label}
            </button>
          ))}
        </nav>
        <div className="settings-main">
          <div className="settings-head">
            <h3>{section?.label}</h3>
            <Owner hubs={hubs} hub={hub} ofServer={section?.ofServer === true} onChoose={setHub} />
          </div>
          {section?.ofServer === true ? (
            <ServerSection key={hub?.id} id={chosen} hub={hub} cwd={hub?.id === current ? cwd : null} />
          ) : (
            <BrowserSection id={chosen} onShortcuts={onShortcuts} />
          )}
        </div>
      </div>
    </Dialog>
  );
}

interface OwnerProps {
  readonly hubs: readonly HubView[];
  readonly hub: HubView | undefined;
  readonly ofServer: boolean;
  readonly onChoose: (hub: string) => void;
}

/** Names whose settings these are: this browser's, or those of a server, which can be another one. */
function Owner({ hubs, hub, ofServer, onChoose }: OwnerProps): ReactNode {
  if (!ofServer) return <span className="settings-owner">{words.thisBrowser}</span>;
  if (hub === undefined) return null;
  if (hubs.length < 2) return <span className="settings-owner">{hub.name}</span>;
  return (
    <Select
      aria-label={words.server}
      value={hub.id}
      options={hubs.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={onChoose}
    />
  );
}

interface BrowserSectionProps {
  readonly id: SectionId;
  readonly onShortcuts: () => void;
}

function BrowserSection({ id, onShortcuts }: BrowserSectionProps): ReactNode {
  if (id === "devices") return <DevicesSection />;
  return id === "keys" ? <KeysSection /> : <GeneralSection onShortcuts={onShortcuts} />;
}

interface ServerSectionProps {
  readonly id: SectionId;
  readonly hub: HubView | undefined;
  readonly cwd: string | null;
}

function ServerSection({ id, hub, cwd }: ServerSectionProps): ReactNode {
  if (hub === undefined || hub.state !== "ready") return <EmptyState title={words.notConnected} />;
  switch (id) {
    case "models":
      return <ModelsSection hub={hub} />;
    case "permissions":
      return <PermissionsSection hub={hub} />;
    case "mcp":
      return <McpSection hub={hub} />;
    case "skills":
      return <SkillsSection hub={hub} cwd={cwd} />;
    case "hooks":
      return <HooksSection hub={hub} cwd={cwd} />;
    case "plugins":
      return <PluginsSection hub={hub} />;
    case "rules":
      return <RulesSection hub={hub} />;
    case "config":
      return <ConfigSection hub={hub} />;
    default:
      return null;
  }
}
