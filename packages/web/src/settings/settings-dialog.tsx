import { type ReactNode, useState } from "react";
import { type HubView, useStore } from "../state/index.ts";
import { Dialog, EmptyState, Select } from "../ui/index.ts";
import { settingsWords as words } from "../words/words.ts";
import { GeneralSection } from "./general-section.tsx";
import { ModelsSection } from "./models-section.tsx";
import { type SectionId, sections } from "./sections.ts";
import "./settings.css";

interface SettingsDialogProps {
  /** The section to begin with. */
  readonly section: SectionId;
  /** The server of the thread in view. */
  readonly hub: string | null;
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** The settings of this browser and of each server. */
export function SettingsDialog({ section: first, hub: current, onClose, onShortcuts }: SettingsDialogProps) {
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
            <ServerSection key={hub?.id} id={chosen} hub={hub} />
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

function BrowserSection({ onShortcuts }: { readonly id: SectionId; readonly onShortcuts: () => void }): ReactNode {
  return <GeneralSection onShortcuts={onShortcuts} />;
}

function ServerSection({ id, hub }: { readonly id: SectionId; readonly hub: HubView | undefined }): ReactNode {
  if (hub === undefined || hub.state !== "ready") return <EmptyState title={words.notConnected} />;
  switch (id) {
    case "models":
      return <ModelsSection hub={hub} />;
    default:
      return null;
  }
}
