import { isTable, type Table } from "./table.ts";

/** What a row of `[mcp_servers]` hands to the server that it describes, or lets it do. */
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
 * The weaker settings below a project's layer, without what the user has given to a server that the project puts another in
 * the place of: keys in its variables and headers, and approvals of its tools. What holds a server back stays.
 */
export function belowProject(below: Table, project: Table): Table {
  if (!isTable(below.mcp_servers) || !isTable(project.mcp_servers)) return below;
  const own = project.mcp_servers;
  const isReplaced = (name: string) => {
    const row = Object.hasOwn(own, name) ? own[name] : undefined;
    return isTable(row) && (row.command !== undefined || row.url !== undefined);
  };
  const rows = Object.entries(below.mcp_servers).map(([name, row]) => [
    name,
    isReplaced(name) && isTable(row) ? withoutRights(row) : row,
  ]);
  return { ...below, mcp_servers: Object.fromEntries(rows) };
}

function withoutRights(row: Table): Table {
  const kept = Object.entries(row)
    .filter(([key, value]) => !ofItsServer.has(key) && !(key === "default_tools_approval_mode" && value === "approve"))
    .map(([key, value]) => (key === "tools" && isTable(value) ? [key, withoutApprovals(value)] : [key, value]));
  return Object.fromEntries(kept);
}

function withoutApprovals(tools: Table): Table {
  return Object.fromEntries(
    Object.entries(tools).filter(([, tool]) => !(isTable(tool) && tool.approval_mode === "approve")),
  );
}
