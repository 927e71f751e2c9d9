import { jsonText } from "../lib/json-text.ts";
import { terminalText } from "../lib/terminal-text.ts";

/** A server as the configuration has it. */
export type McpServerConfig = Readonly<Record<string, unknown>>;

/** A server as programs are shown it. */
export function mcpServerJson(name: string, config: McpServerConfig): Record<string, unknown> {
  const or = (key: string) => config[key] ?? null;
  return {
    name,
    enabled: config.enabled !== false,
    disabled_reason: null,
    transport:
      config.url === undefined
        ? {
            type: "stdio",
            command: or("command"),
            args: config.args ?? [],
            env: or("env"),
            env_vars: config.env_vars ?? [],
            cwd: or("cwd"),
          }
        : {
            type: "streamable_http",
            url: config.url,
            bearer_token_env_var: or("bearer_token_env_var"),
            http_headers: or("http_headers"),
            env_http_headers: or("env_http_headers"),
            http_headers_helper: or("http_headers_helper"),
          },
  };
}

/** A login at a server, as programs are shown it. */
export type AuthStatus = keyof typeof authWords;

const authWords = {
  unknown: "Unknown",
  unsupported: "Unsupported",
  not_logged_in: "Not logged in",
  bearer_token: "Bearer token",
  o_auth: "OAuth",
};

/** The logins at servers, by name. Asks those on the network whether they need one. */
export async function authStatuses(
  servers: Readonly<Record<string, McpServerConfig>>,
): Promise<ReadonlyMap<string, AuthStatus>> {
  const rows = Object.entries(servers);
  // Programs need no login: the code that asks others is not loaded for them.
  if (rows.every(([, { url }]) => url === undefined)) return new Map(rows.map(([name]) => [name, "unsupported"]));
  const [{ mcpLoginStatus }, { resolveHome }] = await Promise.all([
    import("@quire/server"),
    import("@quire/server/startup"),
  ]);
  const context = { home: resolveHome(process.env), env: process.env };
  const inSnakeCase = (status: string) => status.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const status = async ([name, config]: readonly [string, McpServerConfig]) =>
    [name, inSnakeCase(await mcpLoginStatus(name, config, context)) as AuthStatus] as const;
  return new Map(await Promise.all(rows.map(status)));
}

/** The servers as tables for people: programs first, then servers on the network. Values of variables are hidden. */
export function mcpServerTables(
  servers: Readonly<Record<string, McpServerConfig>>,
  statuses: ReadonlyMap<string, AuthStatus>,
): string {
  const state = (config: McpServerConfig) => (config.enabled === false ? "disabled" : "enabled");
  const programs: string[][] = [];
  const addresses: string[][] = [];
  for (const [name, config] of Object.entries(servers)) {
    const text = (key: string) => String(config[key] ?? "-");
    if (config.url === undefined)
      programs.push([
        name,
        text("command"),
        words(config.args),
        hidden(config.env),
        text("cwd"),
        state(config),
        "Unsupported",
      ]);
    else {
      const auth = authWords[statuses.get(name) ?? "unknown"];
      addresses.push([name, text("url"), text("bearer_token_env_var"), state(config), auth]);
    }
  }
  const tables = [
    ...(programs.length > 0 ? [table([["Name", "Command", "Args", "Env", "Cwd", "Status", "Auth"], ...programs])] : []),
    ...(addresses.length > 0 ? [table([["Name", "Url", "Bearer Token Env Var", "Status", "Auth"], ...addresses])] : []),
  ];
  return tables.join("\n");
}

/** A server as text, for people. */
export function mcpServerText(name: string, config: McpServerConfig, remove: string): string {
  const { transport, enabled } = mcpServerJson(name, config) as {
    transport: Record<string, unknown>;
    enabled: boolean;
  };
  const { type, env_vars: _, ...fields } = transport;
  const lines = Object.entries({ enabled, transport: type, ...fields }).map(([key, value]) => {
    const text = key === "env" ? hidden(value) : Array.isArray(value) ? words(value) : shownValue(value);
    return `  ${key}: ${terminalText(text, { oneLine: true })}\n`;
  });
  return `${terminalText(name, { oneLine: true })}\n${lines.join("")}  remove: ${remove}\n`;
}

const shownValue = (value: unknown): string =>
  value === null || value === undefined ? "-" : typeof value === "object" ? jsonText(value) : String(value);

const words = (args: unknown): string => (Array.isArray(args) && args.length > 0 ? args.join(" ") : "-");

const hidden = (env: unknown): string =>
  Object.keys((env ?? {}) as object)
    .map((name) => `${name}=*****`)
    .join(", ") || "-";

function table(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map((cell) => terminalText(cell, { oneLine: true })));
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => (row[column] ?? "").length)));
  return shown.map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}\n`).join("");
}
