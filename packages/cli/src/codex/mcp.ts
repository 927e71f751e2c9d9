import { commandLine } from "../args/command-line.ts";
import { type ConfigFlagValues, configOverrides } from "../args/config-flags.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { type Link, openLink } from "../exec/link.ts";
import { jsonText } from "../lib/json-text.ts";
import { showHelp } from "../lib/show-help.ts";
import {
  mcpAddSpec,
  mcpGetSpec,
  mcpListSpec,
  mcpLoginSpec,
  mcpLogoutSpec,
  mcpRemoveSpec,
  mcpSpec,
} from "./mcp-flags.ts";
import { authStatus, type McpServerConfig, mcpServerJson, mcpServerTables, mcpServerText } from "./mcp-servers.ts";

const commands: ReadonlyMap<string, (args: readonly string[]) => Promise<number>> = new Map(
  Object.entries({ list, get, add, remove, login, logout }),
);

const print = (text: string): void => void process.stdout.write(text);

/** Manages the MCP servers of the configuration. Returns the exit code. */
export async function mcp(args: readonly string[]): Promise<number> {
  const { name = "", args: rest } = commandLine(args);
  const command = commands.get(name);
  if (command) return await command(rest);
  if (name === "--help" || name === "-h" || name === "help") return showHelp(mcpSpec);
  throw new UsageError(`expected ${mcpSpec.name} ${[...commands.keys()].join(", ")}`);
}

function open(flags: ConfigFlagValues): Promise<Link> {
  return openLink({ overrides: configOverrides(flags), clientName: "codex_cli", source: "cli" });
}

async function serversOf({ connection }: Link): Promise<Record<string, McpServerConfig>> {
  const { config } = await connection.request("config/read", { cwd: process.cwd(), includeLayers: false });
  return (config.mcp_servers ?? {}) as Record<string, McpServerConfig>;
}

async function list(args: readonly string[]): Promise<number> {
  const { flags, help } = parseArguments(mcpListSpec, args);
  if (help) return showHelp(mcpListSpec);
  await using link = await open(flags);
  const servers = await serversOf(link);
  const entries = Object.entries(servers).map(([name, config]) => ({
    ...mcpServerJson(name, config),
    startup_timeout_sec: config.startup_timeout_sec ?? null,
    tool_timeout_sec: config.tool_timeout_sec ?? null,
    auth_status: authStatus(config),
  }));
  if (flags.json) print(`${jsonText(entries, 2)}\n`);
  else if (entries.length > 0) print(mcpServerTables(servers));
  else print(`No MCP servers configured yet. Try \`${mcpSpec.name} add my-tool -- my-command\`.\n`);
  return 0;
}

async function get(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(mcpGetSpec, args);
  if (help) return showHelp(mcpGetSpec);
  const name = required(operands[0], mcpGetSpec);
  await using link = await open(flags);
  const config = found(await serversOf(link), name);
  if (!flags.json) {
    print(mcpServerText(name, config, `${mcpRemoveSpec.name} ${name}`));
    return 0;
  }
  const { enabled_tools = null, disabled_tools = null, startup_timeout_sec = null, tool_timeout_sec = null } = config;
  const limits = { enabled_tools, disabled_tools, startup_timeout_sec, tool_timeout_sec };
  print(`${jsonText({ ...mcpServerJson(name, config), ...limits }, 2)}\n`);
  return 0;
}

async function add(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(mcpAddSpec, args);
  if (help) return showHelp(mcpAddSpec);
  const [first, command, ...rest] = operands;
  const name = required(first, mcpAddSpec);
  if ((command === undefined) === (flags.url === undefined))
    throw new UsageError(`expected a command or --url, and not both: ${mcpAddSpec.name} ${mcpAddSpec.operands}`);
  if (!/^[\w:@/.-]+$/.test(name))
    throw new Error(`invalid server name '${name}' (use letters, numbers, '-', '_', ':', '@', '/', '.')`);
  const value =
    flags.url === undefined
      ? { command, args: rest, ...(flags.env.length > 0 && { env: environment(flags.env) }) }
      : {
          url: flags.url,
          ...(flags.bearerTokenEnvVar !== undefined && { bearer_token_env_var: flags.bearerTokenEnvVar }),
        };
  await using link = await open(flags);
  await write(link, name, value);
  print(`Added global MCP server '${name}'.\n`);
  return 0;
}

async function remove(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(mcpRemoveSpec, args);
  if (help) return showHelp(mcpRemoveSpec);
  const name = required(operands[0], mcpRemoveSpec);
  await using link = await open(flags);
  const isThere = Object.hasOwn(await serversOf(link), name);
  if (isThere) await write(link, name, null);
  print(isThere ? `Removed global MCP server '${name}'.\n` : `No MCP server named '${name}' found.\n`);
  return 0;
}

async function login(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(mcpLoginSpec, args);
  if (help) return showHelp(mcpLoginSpec);
  const name = required(operands[0], mcpLoginSpec);
  await using link = await open(flags);
  found(await serversOf(link), name);
  const ended = new Promise<{ success: boolean; error?: string | null | undefined }>((resolve) => {
    link.follow(({ method, params }) => {
      if (method === "mcpServer/oauthLogin/completed" && params.name === name) resolve(params);
    });
  });
  const scopes = flags.scopes?.split(",");
  const { authorizationUrl } = await link.connection.request("mcpServer/oauth/login", { name, scopes });
  print(`Open this address in your browser to authorize \`${name}\`:\n\n  ${authorizationUrl}\n\n`);
  if (!flags.noBrowser) (await import("../up/open-browser.ts")).openBrowser(authorizationUrl);
  const { success, error } = await ended;
  if (!success) throw new Error(`failed to log in to MCP server '${name}': ${error ?? "it was not completed"}`);
  print(`Successfully logged in to MCP server '${name}'.\n`);
  return 0;
}

async function logout(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(mcpLogoutSpec, args);
  if (help) return showHelp(mcpLogoutSpec);
  const name = required(operands[0], mcpLogoutSpec);
  await using link = await open(flags);
  const { url } = found(await serversOf(link), name);
  if (typeof url !== "string")
    throw new Error(`'${name}' is a program: it has no OAuth login; ${mcpRemoveSpec.name} ${name} removes it`);
  const [{ forgetLogin }, { resolveHome }] = await Promise.all([
    import("@quire/server"),
    import("@quire/server/startup"),
  ]);
  const isGone = forgetLogin(resolveHome(process.env), name, url);
  print(isGone ? `Removed OAuth credentials for '${name}'.\n` : `No OAuth credentials stored for '${name}'.\n`);
  return 0;
}

async function write({ connection }: Link, name: string, value: unknown): Promise<void> {
  const keyPath = `mcp_servers.${JSON.stringify(name)}`;
  await connection.request("config/value/write", { keyPath, value, mergeStrategy: "replace" });
}

function required(name: string | undefined, spec: { readonly name: string; readonly operands?: string }): string {
  if (name === undefined) throw new UsageError(`a name is required: ${spec.name} ${spec.operands}`);
  return name;
}

function found(servers: Readonly<Record<string, McpServerConfig>>, name: string): McpServerConfig {
  const config = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (!config) throw new Error(`No MCP server named '${name}' found.`);
  return config;
}

function environment(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf("=");
      if (equals < 1) throw new UsageError(`invalid value '${pair}' for '--env <KEY=VALUE>': expected KEY=VALUE`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}
