import type { Thread } from "@quire/protocol";
import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { jsonText } from "../lib/json-text.ts";
import { showHelp } from "../lib/show-help.ts";
import { table } from "../lib/table.ts";
import { connect, serverFlags } from "../server/connect.ts";

const flags = {
  json: { type: "switch", help: "Print the threads as JSON, one per line." },
  archived: { type: "switch", help: "List archived threads instead." },
  search: { type: "text", value: "WORDS", help: "Search in names and first messages." },
  limit: {
    type: "number",
    short: "n",
    value: "N",
    range: [1, Number.MAX_SAFE_INTEGER],
    fallback: "20",
    help: "Maximum number of threads.",
  },
  ...serverFlags,
  ...configFlags,
} as const satisfies Flags;

/** `quire threads`. */
export const threadsSpec: CommandSpec<typeof flags> = {
  name: "quire threads",
  summary: "List saved threads, newest first",
  flags,
  examples: [["quire threads --search login", 'Then: quire run --resume ID "And now the tests"']],
};

/** Lists threads. Returns the exit code. */
export async function threads(args: readonly string[]): Promise<number> {
  const { flags: given, help } = parseArguments(threadsSpec, args);
  if (help) return showHelp(threadsSpec);
  await using connected = await connect(given, { source: "cli" });
  const limit = given.limit ?? 20;
  const found: Thread[] = [];
  const query = {
    archived: given.archived,
    searchTerm: given.search,
    sortKey: "updated_at" as const,
    // Left out, some servers list only what was started in a terminal or an editor, and only of one provider.
    sourceKinds: ["cli" as const, "vscode" as const, "exec" as const, "appServer" as const, "unknown" as const],
    modelProviders: [],
    limit: Math.min(limit, 100),
  };
  let more = false;
  for await (const thread of connected.client.threads.list(query)) {
    more = found.length >= limit;
    if (more) break;
    found.push(thread);
  }
  process.stdout.write(given.json ? found.map((thread) => `${jsonText(thread)}\n`).join("") : asTable(found));
  if (more && !given.json) process.stderr.write(`Show more: quire threads --limit ${limit * 5}\n`);
  return 0;
}

function asTable(found: readonly Thread[]): string {
  if (found.length === 0) return "No threads.\n";
  return table(
    found.map((thread) => [thread.id, when(thread.updatedAt), thread.cwd, thread.name ?? firstLine(thread.preview)]),
  );
}

/** In the reader's time zone. */
function when(seconds: number): string {
  const date = new Date(seconds * 1000);
  const here = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return here.toISOString().slice(0, 16).replace("T", " ");
}

function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length > 60 ? `${line.slice(0, 59).replace(/[\ud800-\udbff]$/, "")}…` : line;
}
