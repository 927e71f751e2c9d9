import type { ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { isOffered, readServers, type ServerConfig } from "../../config/mcp-config.ts";
import { refusalOf } from "../../config/trust/refuse-program.ts";
import { writeProjectConfig } from "../../config/trust/write-project-config.ts";
import { userConfig, writeConfig } from "../../config/write-config.ts";
import { isTable } from "../../lib/table.ts";
import type { Elicitation, McpServer } from "../../mcp/mcp-server.ts";
import { McpServers } from "../../mcp/mcp-servers.ts";
import { mcpTool } from "../../mcp/mcp-tool.ts";
import { resourceTools } from "../../mcp/resource-tools.ts";
import { type ApprovalMemory, toolKey } from "../../mcp/tool-approval.ts";
import type { Thread } from "../../thread/thread.ts";
import type { ToolGroup } from "../../tools/tool.ts";
import type { OutputLimit } from "../../tools/truncate-output.ts";

/** A thread's servers and what its model is offered of them. */
export interface OpenedServers {
  readonly servers: McpServers;
  groups(): readonly ToolGroup[];
}

const maxInstructionChars = 4096;

/** Makes the servers of a thread; none is started yet. */
export function openServers(thread: Thread): OpenedServers {
  const { server } = thread.core;
  const servers = new McpServers({
    owner: `mcp-${thread.id}`,
    cwd: () => thread.settings.cwd,
    home: server.home,
    env: server.env,
    log: server.log,
    refuse: (program, startsIn) => {
      const { settings, record, core } = thread;
      const overrides = record.meta.quire?.config;
      return refusalOf(core.config, { cwd: settings.cwd, overrides, program, startsIn });
    },
    elicit: (name, request) => elicit(thread, name, request),
    onStatus: (name, status, error) =>
      thread.notify("mcpServer/startupStatus/updated", {
        threadId: thread.id,
        name,
        status,
        error,
        failureReason: null,
      }),
  });
  const memory = approvalMemory(thread);
  let made: { readonly version: number; readonly groups: readonly ToolGroup[] } | undefined;
  return {
    servers,
    groups: () => {
      if (made?.version !== servers.version)
        made = { version: servers.version, groups: allGroups(thread, servers, memory) };
      return made.groups;
    },
  };
}

function allGroups(thread: Thread, servers: McpServers, memory: ApprovalMemory): ToolGroup[] {
  const limit = outputLimit(thread);
  const running = servers.slots.flatMap(({ server }) => server ?? []);
  if (running.length === 0) return [];
  const groups = running.map((server) => serverGroup(server, memory, limit));
  return [...resourceTools(servers, limit), ...groups.filter(({ tools }) => tools.length > 0)];
}

function serverGroup(server: McpServer, memory: ApprovalMemory, limit: OutputLimit): ToolGroup {
  const { config } = server;
  const namespace = `mcp__${config.name}`;
  const names = new Set<string>();
  const offered = server.tools.flatMap((tool) => {
    const name = tool.name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
    if (!isOffered(config, tool.name) || names.has(name)) return [];
    names.add(name);
    return [{ tool, name }];
  });
  const description = server.instructions?.slice(0, maxInstructionChars) || `Tools of the MCP server ${config.name}.`;
  const specs = offered.map(({ tool, name }) => ({
    type: "function",
    name,
    description: tool.description,
    strict: false,
    parameters: tool.inputSchema,
  }));
  return {
    spec: { type: "namespace", name: namespace, description, tools: specs },
    tools: offered.map(({ tool, name }) => mcpTool({ server, tool, name, namespace, memory, limit })),
  };
}

function approvalMemory(thread: Thread): ApprovalMemory {
  const { core } = thread;
  const session = new Set<string>();
  return {
    has: (config, tool) => session.has(toolKey(config, tool)),
    canLast: (config) => isOwn(config, core.server.home) || isOfProject(thread, config),
    remember: (config, { name: tool, ...rest }, until) => {
      const { name: server } = config;
      session.add(toolKey(config, { name: tool, ...rest }));
      if (until === "session") return;
      try {
        const keyPath = ["mcp_servers", server, "tools", tool, "approval_mode"];
        const edits = [{ keyPath, value: "approve", merge: true }];
        const project = projectOfServer(thread, server);
        // In the user's file it would hold for every project's server of that name.
        if (project === undefined) writeConfig(core.server.home, { edits });
        else writeProjectConfig(core.config, project, edits);
      } catch (error) {
        core.server.log.warn(
          `the approval of ${server}/${tool} could not be stored and holds for this session only`,
          error,
        );
      }
    },
  };
}

/** The `.codex` of the project that brings a server; `undefined` for a user's own. */
function projectOfServer({ core, settings: { cwd } }: Thread, server: string): string | undefined {
  const { origins } = core.config.read({ cwd });
  const origin = origins[`mcp_servers.${server}.command`] ?? origins[`mcp_servers.${server}.url`];
  return origin?.name.type === "project" ? origin.name.dotCodexFolder : undefined;
}

/** True when the user's file names this very server: an approval there counts for anything of that name. */
function isOwn({ name, pluginId, transport }: ServerConfig, home: string): boolean {
  if (pluginId !== undefined) return false;
  const own = readServers(userConfig(home).values).find((row) => row.name === name);
  return JSON.stringify(own?.transport) === JSON.stringify(transport);
}

function isOfProject(thread: Thread, { name, pluginId }: ServerConfig): boolean {
  return pluginId === undefined && projectOfServer(thread, name) !== undefined;
}

/** Passes a server's question on to the thread's clients, unless the policy forbids questions. */
async function elicit(thread: Thread, serverName: string, request: Elicitation): Promise<ElicitResult> {
  const { approvalPolicy } = thread.settings;
  const barred =
    approvalPolicy === "never" ||
    (typeof approvalPolicy === "object" && approvalPolicy.granular.mcp_elicitations === false);
  if (barred) return { action: "decline" };
  const turn = thread.active;
  const { mode, message, url, elicitationId, requestedSchema, _meta: meta } = request;
  const shared = { threadId: thread.id, turnId: turn?.id ?? null, serverName, _meta: foreignMeta(meta), message };
  const params =
    mode === "url" ? { ...shared, mode, url, elicitationId } : { ...shared, mode: "form", requestedSchema };
  const signal = turn?.signal ?? new AbortController().signal;
  const release = turn ? thread.hold("waitingOnApproval", turn.signal) : () => undefined;
  try {
    const answer: unknown = await thread.questions.ask("mcpServer/elicitation/request", params as never, signal);
    const { action, content } = isTable(answer) ? answer : {};
    if (action === "accept") return { action, ...(isTable(content) && { content: content as never }) };
    return { action: action === "cancel" ? "cancel" : "decline" };
  } catch {
    // Interrupted, or the client answered with an error.
    return { action: signal.aborted ? "cancel" : "decline" };
  } finally {
    release();
  }
}

/** Keys that mark this server's own approvals: with them a form of an MCP server could pass for one. */
const ownMeta = /^(x[-_])?codex|^(persist|tool_|connector_|approval)/i;

/** An MCP server's metadata without the keys that only this server may use. */
export function foreignMeta(meta: unknown): Readonly<Record<string, unknown>> | null {
  if (!isTable(meta)) return null;
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !ownMeta.test(name.trim())));
}

function outputLimit({ config }: Thread): OutputLimit {
  const tokens = config.raw.tool_output_token_limit;
  return { unit: "tokens", limit: typeof tokens === "number" && tokens > 0 ? tokens : 10_000 };
}
