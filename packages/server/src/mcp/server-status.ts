import type {
  McpAuthStatus,
  McpServerConnectionStatus,
  McpServerInfo,
  McpServerStatus,
  Resource,
  ResourceTemplate,
  Tool as WireTool,
} from "@quire/protocol";
import { hasToken, isOffered, type ServerConfig } from "../config/mcp-config.ts";
import type { McpServer } from "./mcp-server.ts";
import type { ServerSlot } from "./mcp-servers.ts";

interface StatusOptions {
  /** True to list resources too, which asks the server. */
  readonly full: boolean;
  /** True for the servers of a thread, which report their state. */
  readonly ofThread: boolean;
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True when a login at a server is stored. */
  readonly loggedIn: (config: ServerConfig) => boolean;
}

/** A server as `mcpServerStatus/list` shows it. */
export async function serverStatus(
  { config, state, server, error, needsLogin }: ServerSlot,
  options: StatusOptions,
): Promise<McpServerStatus> {
  const { full, ofThread, signal, env, loggedIn } = options;
  const offered = (server?.tools ?? []).filter(({ name }) => isOffered(config, name));
  const list = async (method: string, key: string) => {
    if (!full || !server?.capabilities?.resources) return [];
    return (await server.list(method, key, signal).catch(() => ({ entries: [] }))).entries;
  };
  const [resources, templates] = await Promise.all([
    list("resources/list", "resources"),
    list("resources/templates/list", "resourceTemplates"),
  ]);
  return {
    name: config.name,
    runtimeStatus: ofThread ? (needsLogin ? "authenticationRequired" : statuses[state]) : null,
    pluginId: config.pluginId ?? null,
    httpOrigin: config.transport.type === "http" ? new URL(config.transport.url).origin : null,
    serverInfo: infoOf(server),
    serverCapabilities: server?.capabilities ?? null,
    toolListMeta: server?.toolListMeta ?? null,
    tools: Object.fromEntries(offered.map(({ name, raw }) => [name, raw as unknown as WireTool])),
    toolsError: error ?? problemsOf(server),
    resources: resources as Resource[],
    resourceTemplates: templates as ResourceTemplate[],
    authStatus: authStatus(config, { hasToken: hasToken(config, env), needsLogin, isLoggedIn: loggedIn(config) }),
  };
}

const statuses: Readonly<Record<ServerSlot["state"], McpServerConnectionStatus>> = {
  starting: "starting",
  ready: "connected",
  failed: "failed",
  disabled: "disabled",
};

function infoOf(server: McpServer | undefined): McpServerInfo | null {
  const info = server?.info;
  if (info === undefined) return null;
  const { name, title, version, description, icons, websiteUrl } = info;
  return {
    name,
    title: title ?? null,
    version,
    description: description ?? null,
    icons: icons ?? null,
    websiteUrl: websiteUrl ?? null,
  };
}

/** Rejected tools are reported, so that users learn why one is missing. */
function problemsOf(server: McpServer | undefined): string | null {
  return server && server.problems.length > 0 ? server.problems.join("; ") : null;
}

function authStatus(
  config: ServerConfig,
  login: { readonly hasToken: boolean; readonly needsLogin: boolean; readonly isLoggedIn: boolean },
): McpAuthStatus {
  if (config.transport.type !== "http") return "unsupported";
  if (login.hasToken) return "bearerToken";
  if (login.needsLogin) return "notLoggedIn";
  return login.isLoggedIn ? "oAuth" : "unsupported";
}
