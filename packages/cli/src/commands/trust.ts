import { visibleText } from "@quire/protocol";
import type { TrustPreview } from "@quire/server/startup";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { jsonText } from "../lib/json-text.ts";
import { showHelp } from "../lib/show-help.ts";
import { ask, canAsk } from "../run/ask.ts";

const flags = {
  list: { type: "switch", help: "List the projects that you trust." },
  revoke: { type: "switch", help: "Stop trusting the project." },
  yes: { type: "switch", short: "y", help: "Skip the confirmation." },
  json: { type: "switch", help: "Print JSON. Changes nothing without --yes." },
} as const satisfies Flags;

/** `quire trust`. */
export const trustSpec: CommandSpec<typeof flags> = {
  name: "quire trust",
  summary: "Trust a project's configuration",
  operands: "[PATH]",
  maxOperands: 1,
  flags,
  examples: [
    ["quire trust", "Show what this project's configuration runs, and ask."],
    ["quire trust ~/code/app --yes", "Trust it without asking."],
    ["quire trust --list", "List trusted projects, and since when."],
  ],
  notes:
    "Trust covers the content of .codex/config.toml files, each hook, and the scripts that hooks and MCP servers run, and the scripts that those run in turn. Later changes are ignored, with a warning, until you trust the project again.",
};

/** Trusts a project, or shows what is trusted. Returns the exit code. */
export async function trust(args: readonly string[]): Promise<number> {
  const { flags: given, operands, help } = parseArguments(trustSpec, args);
  if (help) return showHelp(trustSpec);
  if (given.list && given.revoke) throw new UsageError("--list and --revoke cannot be combined");
  const startup = await import("@quire/server/startup");
  const home = startup.resolveHome(process.env);
  const [path = process.cwd()] = operands;
  if (given.list) {
    const rows = startup.listTrusted(home);
    const lines = rows.map(({ project, record }) => `${visibleText(project, { oneLine: true })}  ${since(record)}\n`);
    process.stdout.write(given.json ? `${jsonText(rows, 2)}\n` : lines.join("") || "No projects.\n");
    return 0;
  }
  if (given.revoke) {
    process.stdout.write(`${visibleText(startup.revokeTrust(home, path))} is no longer trusted.\n`);
    return 0;
  }
  const preview = await startup.previewTrust(home, path);
  process.stdout.write(given.json ? `${jsonText(preview, 2)}\n` : described(preview));
  if (!given.yes) {
    if (given.json) return 0;
    if (!canAsk()) throw new Error("cannot ask without a terminal: run it in one, or pass --yes");
    const answer = await ask("Trust this? [y/N] ", new AbortController().signal);
    if (!/^y(es)?$/i.test(answer.trim())) return 1;
  }
  startup.trustProject(home, preview);
  if (!given.json) process.stdout.write(`${visibleText(preview.project)} is trusted.\n`);
  return 0;
}

function since(record: TrustPreview["trusted"]): string {
  if (record === undefined) return "not seen yet";
  return record.damaged ? "the record cannot be read: trust it again" : record.recordedAt;
}

function described({ project, found, trusted, programs }: TrustPreview): string {
  const mark = (now: string, before: string | undefined) =>
    trusted === undefined || now === before ? " " : before === undefined ? "+" : "~";
  const configs = Object.entries(found.configs).map(
    ([folder, { hash, keys }]) =>
      `  ${mark(hash, trusted?.configs[folder]?.hash)} ${folder}/config.toml sets ${keys.join(", ")}`,
  );
  const servers = programs.servers.map(({ name, file, runs }) => `    ${file}: the MCP server ${name} runs ${runs}`);
  const hooks = programs.hooks.map(
    ({ file, event, runs, agreed }) => `  ${agreed ? " " : "+"} ${file}: on ${event} runs ${runs}`,
  );
  const scripts = Object.entries(found.scripts).map(
    ([file, hash]) => `  ${mark(hash, trusted?.scripts[file])} ${file} is named by the configuration`,
  );
  const gone = Object.keys(trusted?.configs ?? {})
    .filter((folder) => found.configs[folder] === undefined)
    .map((folder) => `  - ${folder}/config.toml`);
  const goneHooks = programs.goneHooks.map((key) => `  - the hook ${key}`);
  const lines = [...configs, ...servers, ...hooks, ...scripts, ...gone, ...goneHooks];
  const shown = lines.length > 0 ? lines : ["  Its configuration runs nothing and allows nothing."];
  return `${[project, ...shown].map((line) => visibleText(line, { oneLine: true })).join("\n")}\n`;
}
