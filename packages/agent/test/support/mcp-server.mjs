// An MCP server over stdio with one tool that looks a word up.
import { createInterface } from "node:readline";

const inputSchema = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };
const handlers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "desk", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [{ name: "look_up", description: "Looks a word up", inputSchema }] }),
  "tools/call": (params) => ({ content: [{ type: "text", text: `${params.arguments.word}: found` }] }),
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const handle = handlers[method];
  const reply = handle
    ? { result: handle(params) }
    : { error: { code: -32601, message: `Method not found: ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...reply })}\n`);
});
