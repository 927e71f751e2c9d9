import type { Model } from "@quire/protocol";
import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { jsonText } from "../lib/json-text.ts";
import { showHelp } from "../lib/show-help.ts";
import { table } from "../lib/table.ts";
import { connect, serverFlags } from "../server/connect.ts";

const flags = {
  provider: { type: "text", value: "ID", help: "Ask this provider for its own list." },
  json: { type: "switch", help: "Print the models as JSON, one per line." },
  ...serverFlags,
  ...configFlags,
} as const satisfies Flags;

/** `quire models`. */
export const modelsSpec: CommandSpec<typeof flags> = {
  name: "quire models",
  summary: "List available models",
  flags,
  examples: [["quire models", 'Then: quire run --model MODEL "Hello"']],
  notes: "* marks the default model.",
};

/** Lists models. Returns the exit code. */
export async function models(args: readonly string[]): Promise<number> {
  const { flags: given, help } = parseArguments(modelsSpec, args);
  if (help) return showHelp(modelsSpec);
  await using connected = await connect(given, { source: "cli" });
  const found: Model[] = [];
  for await (const model of connected.client.models.list({ modelProvider: given.provider })) found.push(model);
  process.stdout.write(given.json ? found.map((model) => `${jsonText(model)}\n`).join("") : asTable(found));
  return 0;
}

function asTable(found: readonly Model[]): string {
  if (found.length === 0) return "No models.\n";
  return table(found.map((model) => [model.isDefault ? "*" : " ", model.model, model.displayName, model.description]));
}
