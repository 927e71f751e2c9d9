import { configFlags, configOverrides } from "../args/config-flags.ts";
import type { CommandSpec } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { programName } from "../args/program-name.ts";
import { showHelp } from "../lib/show-help.ts";

/** `mcp-server`. */
export const mcpServerSpec: CommandSpec<typeof configFlags> = {
  name: `${programName} mcp-server`,
  summary: "Be an MCP server on stdin and stdout, with the tools codex and codex-reply",
  flags: configFlags,
  notes: "What needs approval is asked of the MCP client, by elicitation. A client that does not answer declines.",
};

/** Serves an MCP client until it is gone. Returns the exit code. */
export async function mcpServer(args: readonly string[]): Promise<number> {
  const { flags, help } = parseArguments(mcpServerSpec, args);
  if (help) return showHelp(mcpServerSpec);
  await (await import("../mcp-server/serve.ts")).serveMcp(configOverrides(flags));
  return 0;
}
