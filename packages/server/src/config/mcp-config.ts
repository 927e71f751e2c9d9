import { isTable, ownValue, type Table } from "../lib/table.ts";

type ServerTransport =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Names of variables passed on from the server's environment. */
      readonly envVars: readonly string[];
      readonly cwd: string | null;
    }
  | {
      readonly type: "http";
      readonly url: string;
      readonly bearerTokenEnvVar: string | null;
      readonly headers: Readonly<Record<string, string>>;
      /** Headers whose value comes from a variable. */
      readonly envHeaders: Readonly<Record<string, string>>;
      readonly oauth: OAuthClient;
    };

/** The way to log in to a server on the network. `null` and empty: as the server itself says. */
export interface OAuthClient {
  /** A client that is registered already. */
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  /** A resource to name at a login, besides the server itself. */
  readonly resource: string | null;
  readonly scopes: readonly string[];
  /** The port of the redirect. */
  readonly callbackPort: number | null;
}

/** When to ask before a tool call: depending on the tool's annotations, always, or never. */
type ApprovalMode = "auto" | "prompt" | "approve";

/** A row of `[mcp_servers]`. Plain data: equal rows mean the same server. */
export interface ServerConfig {
  readonly name: string;
  readonly pluginId?: string | undefined;
  readonly enabled: boolean;
  /** Invalid when the row cannot be used. */
  readonly transport: ServerTransport | { readonly type: "invalid"; readonly problem: string };
  readonly startupTimeoutMs: number;
  readonly toolTimeoutMs: number;
  /** If given, only these are offered. */
  readonly enabledTools: readonly string[] | null;
  readonly disabledTools: readonly string[];
  readonly defaultApproval: ApprovalMode;
  readonly toolApproval: Readonly<Record<string, ApprovalMode>>;
}

const defaultStartupSec = 30;
const defaultToolSec = 60;
/** Longer timeouts are typing errors, and timers cannot hold them. */
const maxSec = 24 * 3600;

/** The servers that a configuration names, sorted by name. */
export function readServers(raw: Readonly<Record<string, unknown>>): ServerConfig[] {
  const rows = isTable(raw.mcp_servers) ? raw.mcp_servers : {};
  return Object.entries(rows)
    .map(([name, row]) => readServer(name, isTable(row) ? row : {}))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** True when a tool of a server may be used. */
export function isOffered({ enabledTools, disabledTools }: ServerConfig, tool: string): boolean {
  return (enabledTools === null || enabledTools.includes(tool)) && !disabledTools.includes(tool);
}

/** True when a server's row gives it a token, so that a login would change nothing. */
export function hasToken({ transport }: ServerConfig, env: Readonly<Record<string, string | undefined>>): boolean {
  if (transport.type !== "http") return false;
  const isSet = ([, variable]: readonly [string, string]) => Boolean(ownValue(env, variable));
  const fromEnv = Object.entries(transport.envHeaders).filter(isSet);
  const names = [...Object.keys(transport.headers), ...fromEnv.map(([name]) => name)];
  return transport.bearerTokenEnvVar !== null || names.some((name) => name.toLowerCase() === "authorization");
}

function readServer(name: string, row: Table): ServerConfig {
  const tools = isTable(row.tools) ? row.tools : {};
  const modes = Object.entries(tools).map(
    ([tool, given]) => [tool, approvalMode(isTable(given) ? given.approval_mode : null)] as const,
  );
  return {
    name,
    enabled: row.enabled !== false,
    transport: transportOf(name, row),
    startupTimeoutMs: milliseconds(row.startup_timeout_sec, row.startup_timeout_ms, defaultStartupSec),
    toolTimeoutMs: milliseconds(row.tool_timeout_sec, undefined, defaultToolSec),
    enabledTools: Array.isArray(row.enabled_tools) ? strings(row.enabled_tools) : null,
    disabledTools: strings(row.disabled_tools),
    defaultApproval: approvalMode(row.default_tools_approval_mode) ?? "auto",
    toolApproval: Object.fromEntries(
      modes.filter((entry): entry is readonly [string, ApprovalMode] => entry[1] !== null),
    ),
  };
}

function transportOf(name: string, row: Table): ServerConfig["transport"] {
  const problem = (words: string) => ({ type: "invalid" as const, problem: `mcp_servers.${name}: ${words}` });
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return problem("a name consists of letters, digits, _ and -. Rename the table.");
  const { command, url } = row;
  if (typeof command === "string" && command !== "" && url === undefined) {
    return {
      type: "stdio",
      command,
      args: strings(row.args),
      env: table(row.env),
      envVars: strings(row.env_vars),
      cwd: typeof row.cwd === "string" ? row.cwd : null,
    };
  }
  if (command !== undefined || typeof url !== "string") return problem("invalid transport. Set either command or url.");
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return problem("url must begin with http:// or https://.");
  return {
    type: "http",
    url,
    bearerTokenEnvVar: typeof row.bearer_token_env_var === "string" ? row.bearer_token_env_var : null,
    headers: table(row.http_headers),
    envHeaders: table(row.env_http_headers),
    oauth: oauthOf(row),
  };
}

function oauthOf(row: Table): OAuthClient {
  const oauth = isTable(row.oauth) ? row.oauth : {};
  const text = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value : null);
  return {
    clientId: text(oauth.client_id),
    clientSecret: text(oauth.client_secret),
    resource: text(row.oauth_resource),
    scopes: strings(row.scopes),
    callbackPort: typeof oauth.callback_port === "number" ? oauth.callback_port : null,
  };
}

function approvalMode(value: unknown): ApprovalMode | null {
  return value === "auto" || value === "prompt" || value === "approve" ? value : null;
}

function milliseconds(seconds: unknown, ms: unknown, fallbackSec: number): number {
  const given = typeof seconds === "number" ? seconds : typeof ms === "number" ? ms / 1000 : fallbackSec;
  return Math.round(Math.min(given > 0 ? given : fallbackSec, maxSec) * 1000);
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

function table(value: unknown): Record<string, string> {
  const entries = isTable(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
