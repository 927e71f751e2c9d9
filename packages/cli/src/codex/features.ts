import type { ExperimentalFeature } from "@quire/protocol";
import { commandLine } from "../args/command-line.ts";
import { configFlags, configOverrides } from "../args/config-flags.ts";
import type { CommandSpec } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { programName } from "../args/program-name.ts";
import { UsageError } from "../args/usage-error.ts";
import { openLink } from "../exec/link.ts";
import { showHelp } from "../lib/show-help.ts";

/** `features`. */
export const featuresSpec: CommandSpec<typeof configFlags> = {
  name: `${programName} features`,
  summary: "List feature flags, or turn one on or off in config.toml",
  operands: "COMMAND",
  maxOperands: 1,
  flags: configFlags,
  commands: [
    ["list", "List features with their stage and whether they are on"],
    ["enable FEATURE", "Turn a feature on in config.toml"],
    ["disable FEATURE", "Turn a feature off in config.toml"],
  ],
};

const stages: ReadonlyMap<string, string> = new Map([
  ["beta", "experimental"],
  ["underDevelopment", "under development"],
]);

/** Lists or changes features. Returns the exit code. */
export async function features(args: readonly string[]): Promise<number> {
  const { name, args: rest } = commandLine(args);
  const { flags, operands, help } = parseArguments(featuresSpec, rest);
  if (help || name === "--help" || name === "-h") return showHelp(featuresSpec);
  if (name !== "list" && name !== "enable" && name !== "disable")
    throw new UsageError(`expected ${featuresSpec.name} list, enable FEATURE or disable FEATURE`);
  const [feature] = operands;
  if (name !== "list" && feature === undefined)
    throw new UsageError(`a feature is required: ${featuresSpec.name} ${name} FEATURE`);
  await using link = await openLink({ overrides: configOverrides(flags), clientName: "codex_cli", source: "cli" });
  const { data } = await link.connection.request("experimentalFeature/list", { limit: 1000 });
  if (name === "list") {
    process.stdout.write(table(data));
    return 0;
  }
  if (!data.some((each) => each.name === feature)) throw new Error(`Unknown feature flag: ${feature}`);
  const value = name === "enable";
  await link.connection.request("config/value/write", {
    keyPath: `features.${feature}`,
    value,
    mergeStrategy: "upsert",
  });
  process.stdout.write(`${value ? "Enabled" : "Disabled"} feature \`${feature}\` in config.toml.\n`);
  return 0;
}

function table(data: readonly ExperimentalFeature[]): string {
  const sorted = data.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const rows = sorted.map(({ name, stage, enabled }) => [name, stages.get(stage) ?? stage, String(enabled)] as const);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map(([name, stage, on]) => `${name.padEnd(widths[0] ?? 0)}  ${stage.padEnd(widths[1] ?? 0)}  ${on}\n`)
    .join("");
}
