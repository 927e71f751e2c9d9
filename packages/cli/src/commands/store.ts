import type { TransferOptions, Transferred } from "@quire/server/shared-store";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { storeSpec } from "../fleet/store-flags.ts";
import { configuredDatabase } from "../fleet/store-url.ts";
import { jsonText } from "../lib/json-text.ts";
import { showHelp } from "../lib/show-help.ts";
import { terminalText } from "../lib/terminal-text.ts";

/** Copies threads into a database or out of it. Returns the exit code. */
export async function store(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(storeSpec, args);
  if (help) return showHelp(storeSpec);
  const [way, ...ids] = operands;
  if (way !== "import" && way !== "export") throw new UsageError("expected quire store import or quire store export");
  const { url, home } = await configuredDatabase(flags);
  const { exportThreads, importThreads } = await import("@quire/server/shared-store");
  const options: TransferOptions = { url, home: flags.home ?? home, threadIds: ids.length > 0 ? ids : undefined };
  const counts = { done: 0, "there already": 0, "left out": 0 };
  for await (const thread of way === "import" ? importThreads(options) : exportThreads(options)) {
    counts[thread.outcome]++;
    if (flags.json) process.stdout.write(`${jsonText(thread)}\n`);
    else if (thread.outcome === "left out") process.stderr.write(`${leftOut(thread)}\n`);
  }
  if (!flags.json) process.stdout.write(summary(way, counts));
  return counts["left out"] > 0 ? 1 : 0;
}

const leftOut = ({ threadId, why = "" }: Transferred): string =>
  `${terminalText(threadId)} was left out: ${terminalText(why)}`;

function summary(way: "import" | "export", counts: Readonly<Record<Transferred["outcome"], number>>): string {
  const rest = (["there already", "left out"] as const).filter((outcome) => counts[outcome] > 0);
  const more = rest.map((outcome) => `, ${counts[outcome]} ${outcome}`).join("");
  return `${counts.done} threads ${way}ed${more}.\n`;
}
