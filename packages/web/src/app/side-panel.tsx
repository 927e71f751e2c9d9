import type { ListMcpServerStatusResponse, McpServerStatus } from "@quire/protocol";
import { type ReactNode, useCallback, useMemo } from "react";
import type { RunScript } from "../scripts/run-script.ts";
import { type SidePanelTab, useLoaded } from "../side-panel/index.ts";
import { SidePanel } from "../side-panel/side-panel.tsx";
import { askOnce } from "../state/ask-once.ts";
import { scriptRunner } from "../state/checkpoints.ts";
import { type HubView, messageOf, type ThreadKey, useActions, useThread } from "../state/index.ts";
import { appWords } from "../words/words.ts";

/** More MCP servers than that are not listed. */
const maxServers = 500;

interface ThreadSidePanelProps {
  readonly hub: HubView;
  /** The thread in view; null for a new one. */
  readonly threadKey: ThreadKey | null;
  readonly tab: SidePanelTab;
  readonly onTab: (tab: SidePanelTab) => void;
  readonly onClose: () => void;
}

/** The panel beside a thread, with what it shows of the thread's server. */
export function ThreadSidePanel({ hub, threadKey, tab, onTab, onClose }: ThreadSidePanelProps): ReactNode {
  const actions = useActions();
  const thread = useThread(threadKey);
  const { id, epoch } = hub;
  // Loaded again after a restart of the server.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the epoch says that it is another server
  const listServers = useCallback(async (): Promise<readonly McpServerStatus[]> => {
    const servers: McpServerStatus[] = [];
    let cursor: string | null = null;
    do {
      const page: ListMcpServerStatusResponse = await actions.request(id, "mcpServerStatus/list", { cursor });
      servers.push(...page.data);
      cursor = page.nextCursor ?? null;
    } while (cursor !== null && servers.length < maxServers);
    return servers;
  }, [actions, id, epoch]);
  const servers = useLoaded(listServers);
  const cwd = thread === null ? "" : thread.settings.cwd || thread.summary.cwd;
  const git = useMemo(
    (): RunScript | null =>
      cwd === "" || hub.state !== "ready" ? null : scriptRunner((params) => actions.exec(id, params), cwd),
    [actions, id, cwd, hub.state],
  );
  const showError = (error: unknown): void => actions.toast("error", messageOf(error));
  const key = thread?.summary.key ?? null;
  return (
    <SidePanel
      thread={thread}
      git={git}
      place={{ hub: id, cwd }}
      onLoadOlder={() => {
        if (key !== null) actions.loadOlder(key).catch(showError);
      }}
      onAsk={(prompt) => askOnce(actions, id, { cwd, prompt })}
      tab={tab}
      onTab={onTab}
      offline={hub.state === "ready" ? null : (hub.error ?? appWords.notConnected(hub.name))}
      usage={{
        usage: thread?.usage ?? null,
        model: thread?.settings.model ?? null,
        rateLimits: hub.rateLimits,
        onCompact: key === null ? undefined : () => void actions.compact(key).catch(showError),
      }}
      mcp={{
        servers,
        onLogin: async (name) => (await actions.request(id, "mcpServer/oauth/login", { name })).authorizationUrl,
        onRestart: async () => {
          await actions.request(id, "config/mcpServer/reload", undefined);
        },
      }}
      account={{
        hubName: hub.name,
        account: hub.account,
        onReload: () => void actions.readAccount(id).catch(showError),
        onLogin: (params) => actions.login(id, params),
        onCheckKey: (key) => actions.checkKey(id, key),
        onCancelLogin: async (loginId) => {
          await actions.request(id, "account/login/cancel", { loginId });
        },
        onLogout: () => actions.logout(id),
      }}
      onClose={onClose}
    />
  );
}
