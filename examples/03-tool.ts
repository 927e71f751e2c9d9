/**
 * A tool that lives in this program: the agent calls it, the input is checked against the schema, `run` answers.
 * Run it: npx bun examples/03-tool.ts "Where is order 1001?"
 */
import process from "node:process";
import { CodexClient, tool } from "@quire/client";
import { z } from "zod";

const orders = new Map([[1001, { status: "shipped", carrier: "Post" }]]);

const findOrder = tool({
  name: "find_order",
  description: "Looks up an order by its number",
  input: z.object({ number: z.number().int().positive() }),
  run: ({ number }, { signal }) => {
    signal.throwIfAborted();
    console.log(`find_order(${number})`);
    const order = orders.get(number);
    // What is thrown is told to the model, which can then do better.
    if (!order) throw new Error(`There is no order ${number}`);
    return order;
  },
});

await using codex = await CodexClient.spawn();
const thread = await codex.thread({ tools: [findOrder] });
const { agentMessage } = await thread.run(process.argv[2] ?? "Where is order 1001?");
console.log(agentMessage);
