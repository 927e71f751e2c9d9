import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { showHelp } from "../lib/show-help.ts";
import { serverFlags } from "../server/connect.ts";

const flags = { ...serverFlags, ...configFlags } as const satisfies Flags;

/** `quire acp`. */
export const acpSpec: CommandSpec<typeof flags> = {
  name: "quire acp",
  summary: "Be an agent of the Agent Client Protocol, for Zed, JetBrains IDEs and Neovim",
  flags,
  examples: [
    ["quire acp", "On Quire's own server."],
    ['quire acp --server "codex app-server"', "On Codex."],
  ],
  notes: "Editors start this command; it speaks JSON-RPC on stdin and stdout.",
};

/** Serves an editor until it is gone. Returns the exit code. */
export async function acp(args: readonly string[]): Promise<number> {
  const { flags: given, help } = parseArguments(acpSpec, args);
  if (help) return showHelp(acpSpec);
  await (await import("../acp/serve.ts")).serveAcp(given);
  return 0;
}
