// A small MCP server over stdio: one tool that only reads, one that destroys, and one resource.
import { createInterface } from "node:readline";

const schema = { type: "object", properties: { what: { type: "string" } } };
const tools = [
  { name: "look", title: "Look", description: "Looks", inputSchema: schema, annotations: { readOnlyHint: true } },
  { name: "wipe", title: "Wipe", description: "Wipes", inputSchema: schema, annotations: { destructiveHint: true } },
];
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: "small", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name }) => ({ content: [{ type: "text", text: `did ${name}` }] }),
  "resources/list": () => ({ resources: [] }),
  "resources/templates/list": () => ({ resourceTemplates: [] }),
  "resources/read": ({ uri, _meta }) => ({ contents: [{ uri, text: JSON.stringify(_meta?.own ?? null) }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answers[method]?.(params ?? {});
  const error = { code: -32601, message: "unknown" };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) })}\n`);
}
