import type { FunctionCallOutputBody, McpToolCallThreadItem } from "@quire/protocol";
import { type ToolContext, ToolFailure } from "../approval/tool-context.ts";
import { isTable, type Table } from "../lib/table.ts";
import type { ToolCall } from "../record/tool-call.ts";
import { Arguments } from "../tools/arguments.ts";
import type { Tool, ToolGroup } from "../tools/tool.ts";
import type { OutputLimit } from "../tools/truncate-output.ts";
import type { McpServer } from "./mcp-server.ts";
import type { McpServers } from "./mcp-servers.ts";
import { cut, describe } from "./mcp-tool.ts";

const server = { type: "string", description: "Name of an MCP server. Left out: all servers." };
const cursor = { type: "string", description: "Where the last answer of the same server said that it goes on." };

/** The tools with which a model reads the resources of MCP servers. Each is a group of its own: they have no namespace. */
export function resourceTools(servers: McpServers, limit: OutputLimit): ToolGroup[] {
  const list = (name: string, what: string, key: "resources" | "resourceTemplates", method: string) =>
    group(name, `Lists the ${what} of MCP servers: files, schemas and other data that a server offers to read.`, {
      parameters: { type: "object", properties: { server, cursor }, additionalProperties: false },
      run: (args, signal) => listed({ servers, key, method }, args, signal),
      limit,
    });
  return [
    list("list_mcp_resources", "resources", "resources", "resources/list"),
    list("list_mcp_resource_templates", "resource templates", "resourceTemplates", "resources/templates/list"),
    group("read_mcp_resource", "Reads one resource of an MCP server.", {
      parameters: {
        type: "object",
        properties: {
          server: { ...server, description: "Name of the MCP server." },
          uri: { type: "string", description: "The resource's URI, as listed." },
        },
        required: ["server", "uri"],
        additionalProperties: false,
      },
      run: async (args, signal) => {
        const name = args.requiredText("server");
        const uri = args.requiredText("uri");
        const answer = await (await servers.require(name, signal)).request("resources/read", { uri }, { signal });
        return { server: name, output: { server: name, uri, contents: answer.contents ?? [] } };
      },
      limit,
    }),
  ];
}

interface Found {
  readonly server: string;
  readonly output: unknown;
}

interface GroupOptions {
  readonly parameters: Table;
  readonly run: (args: Arguments, signal: AbortSignal) => Promise<Found>;
  readonly limit: OutputLimit;
}

function group(name: string, description: string, { parameters, run, limit }: GroupOptions): ToolGroup {
  const spec = { type: "function", name, description, strict: false, parameters };
  const tool: Tool = { spec, name, namespace: null, run: (call, context) => shown(call, context, { run, limit }) };
  return { spec, tools: [tool] };
}

async function listed({ servers, key, method }: Listing, args: Arguments, signal: AbortSignal): Promise<Found> {
  const name = args.text("server");
  const from = args.text("cursor");
  if (name === undefined) {
    if (from !== undefined) throw new ToolFailure("cursor can only be used when a server is specified");
    const able = servers.slots.flatMap(({ server: running }) => (running?.capabilities?.resources ? [running] : []));
    const pages = await Promise.all(able.map((each) => each.list(method, key, signal).catch(() => ({ entries: [] }))));
    const entries = able.flatMap((each, index) => (pages[index]?.entries ?? []).map((entry) => named(each, entry)));
    return { server: "codex", output: { [key]: entries } };
  }
  const one = await servers.require(name, signal);
  const answer = await one.request(method, from === undefined ? {} : { cursor: from }, { signal });
  const entries = Array.isArray(answer[key]) ? answer[key] : [];
  const next = typeof answer.nextCursor === "string" ? { nextCursor: answer.nextCursor } : {};
  return { server: name, output: { server: name, [key]: entries.map((entry) => named(one, entry)), ...next } };
}

interface Listing {
  readonly servers: McpServers;
  readonly key: "resources" | "resourceTemplates";
  readonly method: string;
}

function named({ config }: McpServer, entry: unknown): unknown {
  return { server: config.name, ...(isTable(entry) ? entry : {}) };
}

/** Runs a call with an item, as calls of a server's own tools. */
async function shown(
  call: ToolCall,
  context: ToolContext,
  { run, limit }: Omit<GroupOptions, "parameters">,
): Promise<FunctionCallOutputBody> {
  const args = new Arguments(call);
  const item: McpToolCallThreadItem = {
    type: "mcpToolCall",
    id: call.callId,
    server: args.text("server") ?? "codex",
    tool: call.name,
    status: "inProgress",
    arguments: JSON.parse(call.arguments),
    appContext: null,
    mcpAppUi: null,
    pluginId: null,
    readOnlyHint: null,
    result: null,
    error: null,
    durationMs: null,
    startedAtMs: Date.now(),
  };
  const startedAt = performance.now();
  context.startItem(item);
  const took = () => Math.round(performance.now() - startedAt);
  try {
    const found = await run(args, context.signal);
    const words = cut(JSON.stringify(found.output), limit);
    const result = { content: [{ type: "text", text: words }], structuredContent: null, _meta: null };
    context.completeItem({ ...item, server: found.server, status: "completed", result, durationMs: took() });
    return words;
  } catch (error) {
    const message = describe(error);
    context.completeItem({ ...item, status: "failed", error: { message }, durationMs: took() });
    throw context.signal.aborted ? error : new ToolFailure(message);
  }
}
