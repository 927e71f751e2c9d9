import { commandLine } from "../args/command-line.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { jsonText } from "../lib/json-text.ts";
import { showHelp } from "../lib/show-help.ts";
import { add } from "./mcp-add.ts";
import { mcpGetSpec, mcpListSpec, mcpRemoveSpec, mcpSpec } from "./mcp-flags.ts";
import { found, open, required, serversOf, write } from "./mcp-link.ts";
import { login, logout } from "./mcp-login.ts";
import { authStatuses, mcpServerJson, mcpServerTables, mcpServerText } from "./mcp-servers.ts";

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

async function list(args: readonly string[]): Promise<number> {
  const { flags, help } = parseArguments(mcpListSpec, args);
  if (help) return showHelp(mcpListSpec);
  await using link = await open(flags);
  const servers = await serversOf(link);
  const names = Object.keys(servers);
  if (names.length === 0 && !flags.json) {
    print(`No MCP servers configured yet. Try \`${mcpSpec.name} add my-tool -- my-command\`.\n`);
    return 0;
  }
  const statuses = await authStatuses(servers);
  if (!flags.json) {
    print(mcpServerTables(servers, statuses));
    return 0;
  }
  const entries = Object.entries(servers).map(([name, config]) => ({
    ...mcpServerJson(name, config),
    startup_timeout_sec: config.startup_timeout_sec ?? null,
    tool_timeout_sec: config.tool_timeout_sec ?? null,
    auth_status: statuses.get(name),
  }));
  print(`${jsonText(entries, 2)}\n`);
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
