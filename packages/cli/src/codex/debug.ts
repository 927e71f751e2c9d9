import { commandLine } from "../args/command-line.ts";
import { configFlags, configOverrides } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { programName } from "../args/program-name.ts";
import { UsageError } from "../args/usage-error.ts";
import { openLink } from "../exec/link.ts";
import { jsonText } from "../lib/json-text.ts";
import { showHelp } from "../lib/show-help.ts";

const flags = {
  bundled: { type: "switch", help: "Accepted for clients that pass it: the catalogue is always the built-in one." },
  ...configFlags,
} as const satisfies Flags;

/** `debug models`. */
export const debugSpec: CommandSpec<typeof flags> = {
  name: `${programName} debug models`,
  summary: "Print the models as JSON, for programs",
  flags,
};

/** Prints the models. Returns the exit code. */
export async function debug(args: readonly string[]): Promise<number> {
  const { name, args: rest } = commandLine(args);
  if (name === "--help" || name === "-h") return showHelp(debugSpec);
  if (name !== "models") throw new UsageError(`expected ${debugSpec.name}`);
  const { flags: given, help } = parseArguments(debugSpec, rest);
  if (help) return showHelp(debugSpec);
  await using link = await openLink({ overrides: configOverrides(given), clientName: "codex_cli", source: "cli" });
  const { data } = await link.connection.request("model/list", { includeHidden: true });
  const models = data.map((model, index) => ({
    slug: model.model,
    display_name: model.displayName,
    description: model.description,
    default_reasoning_level: model.defaultReasoningEffort,
    supported_reasoning_levels: model.supportedReasoningEfforts.map(({ reasoningEffort, description }) => ({
      effort: reasoningEffort,
      description,
    })),
    visibility: model.hidden ? "hide" : "list",
    supported_in_api: true,
    priority: index,
    input_modalities: model.inputModalities,
  }));
  process.stdout.write(`${jsonText({ models })}\n`);
  return 0;
}
