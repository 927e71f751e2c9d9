import { service } from "../../context/services.ts";
import type { Feature } from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";
import { ThreadMcp } from "./thread-mcp.ts";

const servers = service((thread: Thread) => new ThreadMcp(thread));

/** The MCP servers of a thread. */
export const mcpOf = (thread: Thread): ThreadMcp => thread.services.get(servers);

/** Offers the tools of the thread's MCP servers to the model. */
export const mcpTools: Feature<Thread> = {
  joined: (thread) => mcpOf(thread).start(),
  reload: (thread) => mcpOf(thread).reload(),
  groups: (thread) => mcpOf(thread).groups(),
  beforeModel: (thread, { signal }) => mcpOf(thread).ready(signal),
  close: (thread) => mcpOf(thread).close(),
};
