import { service } from "../../context/services.ts";
import type { ThreadExtension } from "../../thread/extension.ts";
import type { Thread } from "../../thread/thread.ts";
import { ThreadMcp } from "./thread-mcp.ts";

const servers = service((thread: Thread) => new ThreadMcp(thread));

/** The MCP servers of a thread. */
export const mcpOf = (thread: Thread): ThreadMcp => thread.services.get(servers);

/** Has the model use the tools of the thread's MCP servers. */
export function mcpTools(thread: Thread): ThreadExtension {
  const mcp = mcpOf(thread);
  return {
    groups: () => mcp.groups(),
    beforeModel: ({ signal }) => mcp.ready(signal),
    close: () => mcp.close(),
  };
}
