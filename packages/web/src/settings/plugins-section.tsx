import type { PluginMarketplaceEntry, PluginSummary } from "@quire/protocol";
import { useCallback, useState } from "react";
import { PanelSection, PanelState, useLoaded } from "../side-panel/index.ts";
import { type HubView, useActions } from "../state/index.ts";
import { Badge, Button, Field, Notice, TextInput } from "../ui/index.ts";
import { formWords, extensionWords as words } from "../words/words.ts";
import { useWork } from "./use-work.ts";
import { WorkNotice } from "./work-notice.tsx";

/** The plugins of a server's marketplaces, to be installed and removed. */
export function PluginsSection({ hub: { id } }: { readonly hub: HubView }) {
  const actions = useActions();
  const load = useCallback(() => actions.request(id, "plugin/list", {}), [actions, id]);
  const listed = useLoaded(load);
  const [source, setSource] = useState("");
  const work = useWork();
  const { value } = listed;
  if (value === null)
    return <PanelState {...listed} failure={formWords.pluginsCouldNotListed} onRetry={listed.reload} />;
  const run = (task: () => Promise<unknown>): void =>
    void work.run(async () => {
      await task();
      actions.configChanged(id);
      listed.reload();
      return null;
    });
  return (
    <div className="settings-section">
      {value.marketplaceLoadErrors?.map(({ message }) => (
        <Notice key={message} tone="warning">
          {message}
        </Notice>
      ))}
      {value.marketplaces.length === 0 && <p className="side-note">{words.noPlugins}</p>}
      {value.marketplaces.map((marketplace) => (
        <PanelSection key={marketplace.name} title={marketplace.interface?.displayName ?? marketplace.name}>
          <ul className="settings-list">
            {marketplace.plugins.map((plugin) => (
              <PluginRow
                key={plugin.id}
                plugin={plugin}
                busy={work.busy}
                onInstall={() => run(() => actions.request(id, "plugin/install", installOf(marketplace, plugin)))}
                onUninstall={() => run(() => actions.request(id, "plugin/uninstall", { pluginId: plugin.id }))}
              />
            ))}
          </ul>
        </PanelSection>
      ))}
      <WorkNotice work={work} />
      <form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault();
          run(() => actions.request(id, "marketplace/add", { source: source.trim() }));
        }}
      >
        <Field label={words.marketplace} hint={words.marketplaceHint}>
          {(control) => <TextInput {...control} value={source} onChange={(event) => setSource(event.target.value)} />}
        </Field>
        <div>
          <Button type="submit" busy={work.busy} disabled={source.trim() === ""}>
            {words.addMarketplace}
          </Button>
        </div>
      </form>
    </div>
  );
}

const installOf = (marketplace: PluginMarketplaceEntry, plugin: PluginSummary) =>
  marketplace.path == null
    ? { pluginName: plugin.name, remoteMarketplaceName: marketplace.name }
    : { pluginName: plugin.name, marketplacePath: marketplace.path };

interface PluginRowProps {
  readonly plugin: PluginSummary;
  readonly busy: boolean;
  readonly onInstall: () => void;
  readonly onUninstall: () => void;
}

function PluginRow({ plugin: { name, installed, interface: look, version }, busy, ...act }: PluginRowProps) {
  const title = look?.displayName ?? name;
  return (
    <li className="settings-item">
      <span className="settings-item-text">
        <span>{title}</span>
        <span className="side-note">{look?.shortDescription ?? version ?? ""}</span>
      </span>
      {installed && <Badge tone="success">{words.installed}</Badge>}
      <Button size="small" busy={busy} onClick={installed ? act.onUninstall : act.onInstall}>
        {installed ? words.uninstall(title) : words.install(title)}
      </Button>
    </li>
  );
}
