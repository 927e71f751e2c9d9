/** Runs a contestant in its own process; prints the time of its quickest evaluation as JSON. `main.ts` compares them. */
import process from "node:process";

type Evaluate = () => Promise<string | null>;

const [name = "", runs = "1", ...command] = process.argv.slice(2);
/** Input of the tool. */
interface Input {
  readonly a: number;
}
const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"], additionalProperties: false };
const hasTools = process.env.CALLS !== undefined && process.env.CALLS !== "0";

/** Each is loaded when asked for: what the others import must not count. */
const contestants: Record<string, () => Promise<Evaluate>> = {
  /** The client alone: start the server, one thread, one turn, end the server. */
  bare: async () => {
    const { CodexClient, jsonSchema, tool } = await import("@quire/client");
    const input = jsonSchema<Input>(schema);
    const tools = hasTools ? [tool({ name: "add", description: "Adds", input, run: ({ a }) => ({ sum: a + 1 }) })] : [];
    return async () => {
      await using client = await CodexClient.spawn({ command });
      const thread = await client.thread({ cwd: "/", tools });
      return (await thread.run("Go.")).agentMessage;
    };
  },
  quire: async () => {
    const { CodexAgent, definePrompt, markdown, ToolResult, tool } = await import("@quire/agent");
    const { jsonSchema } = await import("@quire/client");
    const params = jsonSchema<Input>(schema);
    const handler = ({ a }: Input) => ToolResult.ok({ sum: a + 1 });
    const tools = hasTools ? [tool({ name: "add", description: "Adds", input: params, run: handler })] : [];
    const sections = [markdown({ key: "task", title: "Task", template: "Go.", tools })];
    const prompt = definePrompt({ ns: "bench", key: "go", sections });
    const agent = new CodexAgent({ client: { command, cwd: "/" } });
    return async () => (await agent.evaluate(prompt.bind())).text;
  },
};

const evaluate = await contestants[name]?.();
if (!evaluate) throw new Error(`No contestant is called ${name}`);
console.log(JSON.stringify(await time(evaluate)));
process.exit(0);

/** The first brings everything up. Of the others the quickest counts, for the rest of their time is the machine's noise. */
async function time(run: Evaluate): Promise<number> {
  await run();
  let best = Number.POSITIVE_INFINITY;
  for (let count = 0; count < Number(runs); count++) {
    const began = performance.now();
    const said = await run();
    best = Math.min(best, performance.now() - began);
    if (said !== "Done.") throw new Error(`${name} gave ${JSON.stringify(said)}`);
  }
  return best;
}
