import type { McpServerStatus } from "@quire/protocol";
import { Plug, RefreshCw } from "lucide-react";
import { useState } from "react";
import { plural } from "../items/format.ts";
import { WebLink } from "../items/markdown/web-link.tsx";
import { messageOf } from "../state/index.ts";
import { Badge, Button, EmptyState, IconButton, Notice, type Tone } from "../ui/index.ts";
import { panelWords } from "../words/words.ts";
import { PanelState } from "./panel.tsx";
import type { Loaded } from "./use-loaded.ts";
import { webHref } from "./web-href.ts";

/** Props of {@link McpPanel}. */
export interface McpPanelProps {
  readonly servers: Loaded<readonly McpServerStatus[]>;
  /** Begins a login and gives the page to open. */
  readonly onLogin: (name: string) => Promise<string>;
  /** Lets the server read its configuration again. */
  readonly onRestart: () => Promise<void>;
}

/** The MCP servers, with their state, login and tools. */
export function McpPanel({ servers, onLogin, onRestart }: McpPanelProps) {
  const [error, setError] = useState<string | null>(null);
  const { value } = servers;
  if (value === null) {
    return (
      <div className="side-panel">
        <PanelState {...servers} failure={panelWords.mcpServersCouldNotListed} onRetry={servers.reload} />
      </div>
    );
  }
  const restart = async (): Promise<void> => {
    setError(null);
    try {
      await onRestart();
      servers.reload();
    } catch (reason) {
      setError(messageOf(reason));
    }
  };
  return (
    <div className="side-panel">
      <div className="side-row">
        <span className="side-note">{plural(value.length, "server")}</span>
        <IconButton label={panelWords.reloadWord} icon={<RefreshCw size={14} />} onClick={() => void restart()} />
      </div>
      {error !== null && <Notice tone="danger">{error}</Notice>}
      {servers.error !== null && <Notice tone="danger">{servers.error}</Notice>}
      {value.length === 0 ? (
        <EmptyState icon={<Plug size={24} />} title={panelWords.noMcpServers}>
          {panelWords.mcpServersGiveAgentMore} <code>[mcp_servers.NAME]</code> {panelWords.inWord}{" "}
          <code>config.toml</code>
          {panelWords.reload}
        </EmptyState>
      ) : (
        <ul className="side-servers">
          {value.map((server) => (
            <McpServer key={server.name} server={server} onLogin={onLogin} />
          ))}
        </ul>
      )}
    </div>
  );
}

interface McpServerProps {
  readonly server: McpServerStatus;
  readonly onLogin: (name: string) => Promise<string>;
}

/** An MCP server: its state, its login, its tools. */
export function McpServer({ server, onLogin }: McpServerProps) {
  const [login, setLogin] = useState<{ readonly busy: boolean; readonly href?: string; readonly error?: string }>({
    busy: false,
  });
  const tools = Object.values(server.tools ?? {});
  const state = serverState(server);
  // What it calls itself is its own word; what it is called in the configuration is the user's.
  const title = server.serverInfo?.title;
  const begin = async (): Promise<void> => {
    setLogin({ busy: true });
    try {
      const href = webHref(await onLogin(server.name));
      setLogin(href === undefined ? { busy: false, error: panelWords.serverNamedNoWebPage } : { busy: false, href });
    } catch (reason) {
      setLogin({ busy: false, error: messageOf(reason) });
    }
  };
  return (
    <li>
      <div className="side-server">
        <span className="side-server-name">
          {server.name}
          {title && title !== server.name && <span className="side-server-title">{title}</span>}
        </span>
        <Badge tone={state.tone}>{state.text}</Badge>
        {server.authStatus === "notLoggedIn" && login.href === undefined && (
          <Button size="small" busy={login.busy} onClick={() => void begin()}>
            {panelWords.sign}
          </Button>
        )}
      </div>
      {login.href !== undefined && (
        <Notice tone="accent">
          <WebLink href={login.href} text={panelWords.openSignInPage} />
          {panelWords.comeBack}
        </Notice>
      )}
      {(login.error ?? server.toolsError) && <Notice tone="danger">{login.error ?? server.toolsError}</Notice>}
      {tools.length > 0 && (
        <details className="side-tools">
          <summary>{plural(tools.length, "tool")}</summary>
          <ul>
            {tools.map((tool) => (
              <li key={tool.name}>
                <code>{tool.name}</code>
                {tool.description ? <span>{tool.description}</span> : null}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function serverState({ runtimeStatus, authStatus, tools }: McpServerStatus): {
  readonly text: string;
  readonly tone: Tone;
} {
  switch (runtimeStatus) {
    case "connected":
      return { text: "connected", tone: "success" };
    case "starting":
      return { text: "starting", tone: "accent" };
    case "failed":
      return { text: "failed", tone: "danger" };
    case "authenticationRequired":
      return { text: panelWords.notSigned, tone: "warning" };
    case "disabled":
    case "cancelled":
      return { text: runtimeStatus, tone: "neutral" };
    case "notStarted":
      return { text: "not started", tone: "neutral" };
    default:
      // Servers before 0.166 tell no state: tools are the sign that it runs.
      if (authStatus === "notLoggedIn") return { text: panelWords.notSigned, tone: "warning" };
      return Object.keys(tools ?? {}).length > 0
        ? { text: "ready", tone: "success" }
        : { text: "no tools", tone: "neutral" };
  }
}
