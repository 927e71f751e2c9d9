/** Runs a contestant of one comparison in a process of its own; prints its time as JSON. `main.ts` compares them. */
import process from "node:process";
import { measureCalls } from "./calls.ts";
import { peakMb } from "./peak.ts";
import type { TurnContestant } from "./turn/contestant.ts";

/** Each is loaded when asked for: what the others import must not count. */
const turnContestants: Record<string, () => Promise<TurnContestant>> = {
  bare: async () => (await import("./turn/bare.ts")).bare,
  quire: async () => (await import("./turn/quire.ts")).quire,
  "vscode-jsonrpc": async () => (await import("./turn/vscode-jsonrpc.ts")).vscodeJsonrpc,
  "json-rpc-2.0": async () => (await import("./turn/json-rpc.ts")).jsonRpc,
  "ai-sdk-provider-codex-cli": async () => (await import("./turn/ai-sdk.ts")).aiSdkCli,
  "ai-sdk-provider-codex-app-server": async () => (await import("./turn/ai-sdk.ts")).aiSdkAppServer,
};

const [kind, name = "", peers = "", ...server] = process.argv.slice(2);
console.log(JSON.stringify(kind === "turn" ? await measureTurn() : await measureCalls(name, server)));
process.exit(0);

/** The first turn brings everything up, and has one delta; the second is measured. */
async function measureTurn() {
  const load = turnContestants[name];
  if (!load) throw new Error(`No contestant is called ${name}`);
  const runTurn = await (await load())(server, peers);
  await runTurn();
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  const characters = await runTurn();
  const wallMs = performance.now() - began;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wallMs, cpuMs: (user + system) / 1000, peakMb: peakMb(), characters };
}
