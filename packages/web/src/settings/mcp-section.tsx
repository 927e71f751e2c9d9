import type { McpServerStatus } from "@quire/protocol";
import { useCallback, useEffect, useState } from "react";
import { McpServer, PanelSection, PanelState, useLoaded } from "../side-panel/index.ts";
import { type HubView, useActions } from "../state/index.ts";
import { Button, Switch } from "../ui/index.ts";
import { formWords, settingsWords, mcpWords as words } from "../words/words.ts";
import { McpForm } from "./mcp-form.tsx";
import { RemoveButton } from "./remove-button.tsx";
import { useConfig } from "./use-config.ts";
import { useWork } from "./use-work.ts";
import { WorkNotice } from "./work-notice.tsx";

/** Lines of the log that are kept; the oldest go. */
const maxLog = 200;

type Tables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The MCP servers of a server: state, login, tools, switching on and off, adding and removing. */
export function McpSection({ hub }: { readonly hub: HubView }) {
  const actions = useActions();
  const { id, configRevision } = hub;
  const config = useConfig(hub);
  const [adding, setAdding] = useState(false);
  const work = useWork();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the revision says that there is something new
  const load = useCallback(async (): Promise<readonly McpServerStatus[]> => {
    const { data } = await actions.request(id, "mcpServerStatus/list", { limit: 500 });
    return data;
  }, [actions, id, configRevision]);
  const servers = useLoaded(load);
  const log = useLog(id, servers.reload);
  const tables = (config.value?.mcp_servers ?? {}) as Tables;
  const names = [...new Set([...Object.keys(tables), ...(servers.value ?? []).map(({ name }) => name)])].toSorted();
  const change = async (values: Readonly<Record<string, unknown>>): Promise<string | null> => {
    const said = await config.write(values);
    await actions.request(id, "config/mcpServer/reload", undefined);
    servers.reload();
    return said;
  };
  if (servers.value === null && config.value === null)
    return <PanelState {...servers} failure={formWords.mcpServersCouldNotListed} onRetry={servers.reload} />;
  return (
    <div className="settings-section">
      {names.length === 0 && <p className="side-note">{words.none}</p>}
      <ul className="settings-list">
        {names.map((name) => (
          <li key={name} className="settings-open">
            <ul className="side-servers">
              <McpServer
                server={servers.value?.find((each) => each.name === name) ?? waiting(name)}
                onLogin={async () => (await actions.request(id, "mcpServer/oauth/login", { name })).authorizationUrl}
              />
            </ul>
            {tables[name] !== undefined && (
              <div className="settings-row">
                <Switch
                  label={words.enabled(name)}
                  checked={tables[name].enabled !== false}
                  onChange={(enabled) => void work.run(() => change({ [`mcp_servers.${name}.enabled`]: enabled }))}
                />
                <RemoveButton
                  label={words.remove(name)}
                  confirm={words.confirm(name)}
                  onRemove={() => void work.run(() => change({ [`mcp_servers.${name}`]: null }))}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      <WorkNotice work={work} />
      {adding ? (
        <McpForm
          taken={names}
          onCancel={() => setAdding(false)}
          onAdd={async (name, table) => {
            const said = await change({ [`mcp_servers.${name}`]: table });
            setAdding(false);
            return said;
          }}
        />
      ) : (
        <div className="settings-row">
          <Button onClick={() => setAdding(true)}>{words.add}</Button>
          <Button variant="ghost" busy={servers.loading} onClick={() => void work.run(() => change({}))}>
            {settingsWords.refresh}
          </Button>
        </div>
      )}
      <PanelSection title={words.log}>
        {log.length === 0 ? (
          <p className="side-note">{words.noLog}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keyboard
          <pre className="settings-log" tabIndex={0}>
            {log.join("\n")}
          </pre>
        )}
      </PanelSection>
    </div>
  );
}

/** A server that the configuration names and the list does not have yet. */
const waiting = (name: string): McpServerStatus => ({
  name,
  authStatus: "unsupported",
  resources: [],
  resourceTemplates: [],
  tools: {},
  runtimeStatus: "notStarted",
});

/** Starts and failures of a server's MCP servers since the section was opened. */
function useLog(hub: string, reload: () => void): readonly string[] {
  const actions = useActions();
  const [log, setLog] = useState<readonly string[]>([]);
  useEffect(
    () =>
      actions.onNotification(hub, "mcpServer/startupStatus/updated", (params) => {
        const { name, status, error } = params as { name: string; status: string; error?: string | null };
        const line = `${new Date().toLocaleTimeString()} ${name}: ${status}${error ? ` – ${error}` : ""}`;
        setLog((before) => [...before, line].slice(-maxLog));
        reload();
      }),
    [actions, hub, reload],
  );
  return log;
}
