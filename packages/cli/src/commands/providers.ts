import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ModelProviderListResponse } from "@quire/protocol";
import { commandLine } from "../args/command-line.ts";
import { type ConfigFlagValues, configOverrides } from "../args/config-flags.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { type Link, type LinkOptions, openLink } from "../exec/link.ts";
import { jsonText } from "../lib/json-text.ts";
import { showHelp } from "../lib/show-help.ts";
import { table } from "../lib/table.ts";
import { terminalText } from "../lib/terminal-text.ts";
import { builtIn, presets } from "../providers/presets.ts";
import { addSpec, listSpec, providersSpec, removeSpec, testSpec } from "../providers/provider-flags.ts";
import { answerTest, type TestResult, testProvider } from "../providers/test-provider.ts";

const subcommands: ReadonlyMap<string, (args: readonly string[]) => Promise<number>> = new Map(
  Object.entries({ list, add, test, remove }),
);

const print = (text: string): void => void process.stdout.write(text);

/** Manages model providers. Returns the exit code. */
export async function providers(args: readonly string[]): Promise<number> {
  const { name, args: rest } = commandLine(args);
  if (name === undefined) return await list(rest);
  if (name === "--help" || name === "-h" || name === "help") return showHelp(providersSpec);
  // Without a command, options are those of the list.
  if (name.startsWith("-")) return await list(args);
  const command = subcommands.get(name);
  if (command) return await command(rest);
  throw new UsageError(`expected ${providersSpec.name} ${[...subcommands.keys()].join(", ")}`);
}

function open(flags: ConfigFlagValues, answer?: LinkOptions["answer"]): Promise<Link> {
  const how = { overrides: configOverrides(flags), clientName: "quire_cli", source: "cli" } as const;
  return openLink(answer ? { ...how, answer } : how);
}

interface Found extends ModelProviderListResponse {
  readonly localServers: readonly {
    readonly id: string;
    readonly name: string;
    readonly baseUrl: string;
    readonly models: readonly string[];
  }[];
}

async function list(args: readonly string[]): Promise<number> {
  const { flags, help } = parseArguments(listSpec, args);
  if (help) return showHelp(listSpec);
  await using link = await open(flags);
  const found = (await link.connection.request("modelProvider/list", { localServers: true })) as Found;
  print(flags.json ? `${jsonText(found, 2)}\n` : shown(found));
  return 0;
}

function shown({ data, defaultProviderId, localServers }: Found): string {
  const rows = data.map(({ id, name, baseUrl }) => [id === defaultProviderId ? "*" : " ", id, name, baseUrl ?? ""]);
  const known = new Set(data.map(({ baseUrl }) => baseUrl?.replace("localhost", "127.0.0.1")));
  const others = localServers.filter(({ baseUrl }) => !known.has(baseUrl));
  const offers = others.map(({ id, name, baseUrl, models }) => {
    const use = builtIn.has(id)
      ? `quire run -c model_provider=${id} --model ${models[0] ?? "MODEL"}`
      : `quire providers add ${id}`;
    return [name, baseUrl, `${models.length} models`, use];
  });
  return `${table(rows)}${offers.length > 0 ? `\nOn this machine, not in use:\n${table(offers)}` : ""}`;
}

async function add(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(addSpec, args);
  if (help) return showHelp(addSpec);
  const id = required(operands[0], addSpec);
  const preset = presets.get(id);
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(id))
    throw new UsageError(`invalid id '${id}': use letters, digits, '.', '_' and '-'`);
  if (builtIn.has(id))
    throw new Error(`${id} is built in: set model_provider = "${id}". Choose another id for your own.`);
  const { package: packageName } = flags;
  if (packageName !== undefined && flags.wireApi !== undefined)
    throw new UsageError("--package and --wire-api exclude each other: pass one of them");
  if (packageName !== undefined && !/^(@[\w.-]+\/)?[\w-][\w.-]*$/.test(packageName))
    throw new UsageError(`--package ${packageName}: expected the name of an npm package, as in @ai-sdk/mistral`);
  // A package knows the address of its maker.
  const url = flags.url ?? (packageName === undefined ? preset?.baseUrl : undefined);
  if (url === undefined && packageName === undefined)
    throw new UsageError(`${id} is not well known: pass --url URL, or --package PACKAGE`);
  const { protocol } = URL.parse(url ?? "https://") ?? {};
  if (url !== undefined && protocol !== "http:" && protocol !== "https:")
    throw new UsageError(`--url ${url}: expected http:// or https://`);
  const envKey = flags.envKey ?? preset?.envKey;
  if (envKey !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(envKey))
    throw new UsageError(`--env-key ${envKey}: expected the name of a variable, not the key itself`);
  const wire =
    packageName === undefined
      ? { wire_api: flags.wireApi ?? preset?.wireApi ?? "responses" }
      : { package: packageName };
  const value = {
    name: flags.name ?? preset?.name ?? id,
    ...(url !== undefined && { base_url: url }),
    ...(envKey !== undefined && { env_key: envKey }),
    ...wire,
    ...(flags.dialect !== undefined && { dialect: flags.dialect }),
  };
  await using link = await open(flags);
  const { data } = await link.connection.request("modelProvider/list", {});
  if (data.some((row) => row.id === id && row.canEdit))
    throw new Error(`${id} is there already: quire providers remove ${id}, then add it again.`);
  const edits = [
    { keyPath: keyOf(id), value, mergeStrategy: "replace" as const },
    ...(flags.model === undefined
      ? []
      : [
          { keyPath: "model_provider", value: id, mergeStrategy: "replace" as const },
          { keyPath: "model", value: flags.model, mergeStrategy: "replace" as const },
        ]),
  ];
  await link.connection.request("config/batchWrite", { edits });
  const missing = envKey !== undefined && !process.env[envKey]?.trim() ? ` Set ${envKey} to its key.` : "";
  const install = packageName === undefined ? "" : await installation(packageName);
  const text = `Added ${id}.${missing}${install} Try: quire providers test ${id}\n`;
  print(flags.json ? `${jsonText({ id, ...value }, 2)}\n` : text);
  return 0;
}

/** The command that installs a package where servers look for it; empty if it is there. */
async function installation(name: string): Promise<string> {
  const { resolveHome } = await import("@quire/server/startup");
  const home = resolveHome(process.env);
  if (existsSync(join(home, "node_modules", name))) return "";
  return ` Install it: npm install --prefix ${JSON.stringify(home)} ${name}.`;
}

async function test(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(testSpec, args);
  if (help) return showHelp(testSpec);
  const id = required(operands[0], testSpec);
  await using link = await open(flags, answerTest);
  const result = await testProvider(link, id, flags.model);
  print(flags.json ? `${jsonText(result, 2)}\n` : verdict(result));
  return result.turn === true && result.toolCall ? 0 : 1;
}

function verdict({ provider, model, models, turn, toolCall, streaming, hint }: TestResult): string {
  const mark = (works: boolean) => (works ? "✓" : "✗");
  const rows = [
    [mark(typeof models === "number"), "models", typeof models === "number" ? `lists ${models}` : models],
    [mark(turn === true), "turn", turn === true ? "" : turn],
  ];
  // A turn that failed says nothing of the rest.
  if (turn === true || toolCall)
    rows.push([mark(toolCall), "tool call", toolCall ? "" : "the model called no tool: agents need one that does"]);
  if (turn === true) rows.push([mark(streaming), "streaming", streaming ? "" : "the answer came in one piece"]);
  const title = terminalText(`${provider}, ${model}`, { oneLine: true });
  return `${title}\n${table(rows)}${hint ? `\n${terminalText(hint, { oneLine: true })}\n` : ""}`;
}

async function remove(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(removeSpec, args);
  if (help) return showHelp(removeSpec);
  const id = required(operands[0], removeSpec);
  await using link = await open(flags);
  const { data, defaultProviderId, canChangeDefault } = await link.connection.request("modelProvider/list", {});
  if (!data.some((row) => row.id === id && row.canEdit))
    throw new Error(`There is no provider '${id}' in config.toml. See: quire providers list`);
  // Another source of the default, such as -c, cannot be edited here.
  if (id === defaultProviderId && !canChangeDefault)
    throw new Error(`${id} is the default provider, but not by config.toml: choose another one there first.`);
  const gone = id === defaultProviderId ? [keyOf(id), "model_provider", "model"] : [keyOf(id)];
  const edits = gone.map((keyPath) => ({ keyPath, value: null, mergeStrategy: "replace" as const }));
  await link.connection.request("config/batchWrite", { edits });
  const next =
    id === defaultProviderId ? (await link.connection.request("modelProvider/list", {})).defaultProviderId : id;
  const told = next === id ? "" : ` It was your default: ${next} is now.`;
  print(flags.json ? `${jsonText({ removed: id, ...(told && { default: next }) }, 2)}\n` : `Removed ${id}.${told}\n`);
  return 0;
}

const keyOf = (id: string): string => `model_providers.${JSON.stringify(id)}`;

function required(id: string | undefined, spec: { readonly name: string; readonly operands?: string }): string {
  if (id === undefined) throw new UsageError(`an id is required: ${spec.name} ${spec.operands}`);
  return id;
}
