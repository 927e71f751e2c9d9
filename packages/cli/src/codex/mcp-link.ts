import { type ConfigFlagValues, configOverrides } from "../args/config-flags.ts";
import { UsageError } from "../args/usage-error.ts";
import { type Link, openLink } from "../exec/link.ts";
import type { McpServerConfig } from "./mcp-servers.ts";

/** Starts a server in this process that reads and writes the configuration. */
export function open(flags: ConfigFlagValues): Promise<Link> {
  return openLink({ overrides: configOverrides(flags), clientName: "codex_cli", source: "cli" });
}

/** The configuration as it applies in this folder. */
export async function configOf({ connection }: Link): Promise<Readonly<Record<string, unknown>>> {
  const { config } = await connection.request("config/read", { cwd: process.cwd(), includeLayers: false });
  return config as Readonly<Record<string, unknown>>;
}

/** The MCP servers of the configuration, sorted by name. */
export async function serversOf(link: Link): Promise<Record<string, McpServerConfig>> {
  const servers = ((await configOf(link)).mcp_servers ?? {}) as Record<string, McpServerConfig>;
  return Object.fromEntries(Object.entries(servers).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes a server to config.toml; `null` removes it. */
export async function write({ connection }: Link, name: string, value: unknown): Promise<void> {
  const keyPath = `mcp_servers.${JSON.stringify(name)}`;
  await connection.request("config/value/write", { keyPath, value, mergeStrategy: "replace" });
}

/** The name that a command needs. */
export function required(
  name: string | undefined,
  spec: { readonly name: string; readonly operands?: string },
): string {
  if (name === undefined) throw new UsageError(`a name is required: ${spec.name} ${spec.operands}`);
  return name;
}

/** The server of that name. */
export function found(servers: Readonly<Record<string, McpServerConfig>>, name: string): McpServerConfig {
  const config = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (!config) throw new Error(`No MCP server named '${name}' found.`);
  return config;
}
