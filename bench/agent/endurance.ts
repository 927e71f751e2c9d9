/**
 * Many evaluations in one process, on servers in the same process; prints memory and handles before and after as JSON.
 * What a session keeps belongs to its owner, so each evaluation has its own.
 */
import process from "node:process";
import { CodexAgent, definePrompt, markdown, ToolResult, tool } from "@quire/agent";
import { scriptedServer } from "@quire/testkit";

const [evaluations = 1000] = process.argv.slice(2).map(Number);
/** Evaluations after which everything that is kept once is there: compiled code, caches. */
const warmUp = 300;

const ping = tool({ name: "ping", description: "Pings", run: () => ToolResult.ok(null, "pong") });
const sections = [markdown({ key: "task", title: "Task", template: "Go.", tools: [ping] })];
const prompt = definePrompt({ ns: "bench", key: "go", sections });
const call = {
  type: "request",
  method: "item/tool/call",
  params: { tool: "ping", arguments: {}, callId: "c" },
} as const;
const transport = () => scriptedServer().turn({ items: [call], text: "Done." }).transport;
const agent = new CodexAgent({ client: { transport } });

async function evaluate(count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    const { text } = await agent.evaluate(prompt.bind());
    if (text !== "Done.") throw new Error(`The agent said ${text}`);
  }
}

/** After what is not used any more has been freed. */
async function look(): Promise<{ heapMb: number; handles: number }> {
  const { gc } = globalThis as { gc?: () => void };
  const { Bun: bun } = globalThis as { Bun?: { gc(force: boolean): void } };
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (bun) bun.gc(true);
    else gc?.();
  }
  const { getActiveResourcesInfo } = process as { getActiveResourcesInfo?: () => string[] };
  return { heapMb: process.memoryUsage().heapUsed / 2 ** 20, handles: getActiveResourcesInfo?.().length ?? 0 };
}

await evaluate(warmUp);
const before = await look();
const began = performance.now();
await evaluate(evaluations);
const wallMs = performance.now() - began;
const after = await look();
console.log(JSON.stringify({ before, after, wallMs }));
process.exit(0);
