import type { Fleet, FleetNode } from "@quire/server/shared-store";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { fleetSpec } from "../fleet/fleet-flags.ts";
import { configuredDatabase } from "../fleet/store-url.ts";
import { jsonText } from "../lib/json-text.ts";
import { showHelp } from "../lib/show-help.ts";
import { stopSignal } from "../lib/stop-signal.ts";
import { table } from "../lib/table.ts";

/** Pause between two looks at a server that gives its threads away. */
const lookMs = 500;

/** Shows or drains the servers of a database. Returns the exit code. */
export async function fleet(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(fleetSpec, args);
  if (help) return showHelp(fleetSpec);
  const [command = "list", name] = operands;
  const { url } = await configuredDatabase(flags);
  const { readFleet, setDraining } = await import("@quire/server/shared-store");
  if (command === "list") {
    const found = await readFleet(url);
    process.stdout.write(flags.json ? `${jsonText(found, 2)}\n` : shown(found));
    return 0;
  }
  if (command !== "drain" && command !== "undrain") throw new UsageError("expected quire fleet list, drain or undrain");
  if (name === undefined) throw new UsageError(`quire fleet ${command} needs a server: quire fleet list shows them`);
  const node = await setDraining(url, name, command === "drain");
  const done = command === "undrain" || flags.noWait || (await givenAway(node.id, () => readFleet(url)));
  process.stdout.write(flags.json ? `${jsonText(node, 2)}\n` : told(node, command, done));
  return done ? 0 : 130;
}

/** Waits until a server has no threads. False if the user stops waiting; the server goes on. */
async function givenAway(id: string, read: () => Promise<Fleet>): Promise<boolean> {
  const stopped = stopSignal().then(() => true);
  for (let shownLast = -1; ; ) {
    const { nodes } = await read();
    const left = nodes.find((node) => node.id === id)?.threads ?? 0;
    if (left === 0) return true;
    if (left !== shownLast) process.stderr.write(`${left} ${left === 1 ? "thread" : "threads"} left\n`);
    shownLast = left;
    if (await Promise.race([stopped, Bun.sleep(lookMs).then(() => false)])) return false;
  }
}

function told(node: FleetNode, command: "drain" | "undrain", done: boolean): string {
  if (command === "undrain") return `${node.name} takes threads again.\n`;
  if (!done) return `${node.name} goes on giving its threads away.\n`;
  return `${node.name} has no threads and takes no more; you can stop it.\n`;
}

function shown({ nodes, threads }: Fleet): string {
  if (nodes.length === 0) return `No server runs on this database. It has ${threads} threads.\n`;
  const rows = nodes.map((node) => [node.name, state(node), `${node.threads} loaded`, node.url ?? "", since(node)]);
  return `${table(rows)}${threads} threads in all.\n`;
}

function state({ alive, draining }: FleetNode): string {
  if (!alive) return "gone";
  return draining ? "draining" : "up";
}

const since = ({ startedAtMs }: FleetNode): string =>
  `since ${new Date(startedAtMs).toISOString().slice(0, 16).replace("T", " ")}Z`;
