// A small MCP server over stdio: one tool that only reads, one that destroys, one that asks the user, and one resource.
import { createInterface } from "node:readline";

const schema = { type: "object", properties: { what: { type: "string" } } };
const tools = [
  { name: "look", title: "Look", description: "Looks", inputSchema: schema, annotations: { readOnlyHint: true } },
  { name: "wipe", title: "Wipe", description: "Wipes", inputSchema: schema, annotations: { destructiveHint: true } },
  { name: "ask", title: "Ask", description: "Asks", inputSchema: schema, annotations: { readOnlyHint: true } },
];
const form = { type: "object", properties: { name: { type: "string", title: "Name" } }, required: ["name"] };
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

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result: answer, error: refusal } = JSON.parse(line);
  if (id === undefined) continue;
  if (method === undefined) {
    const text = JSON.stringify(answer ?? refusal?.code);
    send({ id: Number(id.slice(4)), result: { content: [{ type: "text", text }] } });
    continue;
  }
  if (method === "tools/call" && params.name === "ask") {
    send({ id: `ask-${id}`, method: "elicitation/create", params: { message: "Who?", requestedSchema: form } });
    continue;
  }
  const result = answers[method]?.(params ?? {});
  const error = { code: -32601, message: "unknown" };
  send({ id, ...(result ? { result } : { error }) });
}
