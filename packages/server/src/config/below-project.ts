import { isTable, type Table } from "../lib/table.ts";

/** Keys of a `[mcp_servers]` row that give the server secrets or permissions. */
const ofItsServer: ReadonlySet<string> = new Set([
  "args",
  "bearer_token_env_var",
  "command",
  "cwd",
  "env",
  "env_http_headers",
  "env_vars",
  "http_headers",
  "url",
]);

/**
 * The weaker settings below a project's layer. Where the project replaces a server of the user's, that server's keys,
 * headers and tool approvals are dropped; where it only starts it differently, the approvals are. Restrictions stay.
 */
export function belowProject(below: Table, project: Table): Table {
  if (!isTable(below.mcp_servers) || !isTable(project.mcp_servers)) return below;
  const own = project.mcp_servers;
  const rows = Object.entries(below.mcp_servers).map(([name, row]) => {
    const over = Object.hasOwn(own, name) ? own[name] : undefined;
    return [name, isTable(row) && isTable(over) ? belowRow(row, over) : row];
  });
  return { ...below, mcp_servers: Object.fromEntries(rows) };
}

function belowRow(row: Table, over: Table): Table {
  if (!Object.keys(over).some((key) => ofItsServer.has(key))) return row;
  const isReplaced = over.command !== undefined || over.url !== undefined;
  const kept = Object.entries(row)
    .filter(([key]) => !isReplaced || !ofItsServer.has(key))
    .filter(([key, value]) => !(key === "default_tools_approval_mode" && value === "approve"))
    .map(([key, value]) => (key === "tools" && isTable(value) ? [key, withoutApprovals(value)] : [key, value]));
  return Object.fromEntries(kept);
}

function withoutApprovals(tools: Table): Table {
  return Object.fromEntries(
    Object.entries(tools).filter(([, tool]) => !(isTable(tool) && tool.approval_mode === "approve")),
  );
}
