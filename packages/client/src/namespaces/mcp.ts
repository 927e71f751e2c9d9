import type {
  McpServerOauthLoginCompletedNotification,
  McpServerOauthLoginParams,
  McpServerOauthLoginResponse,
  McpServerStatusUpdatedNotification,
} from "@quire/protocol";
import { Completion } from "../account/completion.ts";
import { type Call, caller, type List } from "../calls/call.ts";
import type { CallOptions, ServerPort } from "../port/server-port.ts";

/** A login to an MCP server, under way. */
export interface McpLogin {
  /** The page that the user has to open. */
  readonly url: string;
  /** Resolves when the user is logged in; rejects with a `LoginError` when that failed. */
  readonly completed: Promise<McpServerOauthLoginCompletedNotification>;
}

/** The MCP servers that the server is connected to. */
export interface Mcp {
  /** Lists them with their tools, resources and authentication. */
  readonly list: List<"mcpServerStatus/list">;
  /** Reads a resource. */
  readonly readResource: Call<"mcpServer/resource/read">;
  /** Calls a tool. */
  readonly callTool: Call<"mcpServer/tool/call">;
  /** Reads the MCP servers in `config.toml` anew. */
  readonly reload: Call<"config/mcpServer/reload">;
  /** Starts an OAuth login. The server gives up by itself after `timeoutSecs`; there is no way to cancel it. */
  login(params: McpServerOauthLoginParams, options?: CallOptions): Promise<McpLogin>;
  /** Listens to servers starting, being ready and failing; the returned function stops that. */
  onStatus(listener: (params: McpServerStatusUpdatedNotification) => void): () => void;
}

/** The `mcp` group of a server. */
export function mcpOf(port: ServerPort): Mcp {
  const { call, bare, list } = caller(port);
  return {
    list: list("mcpServerStatus/list"),
    readResource: call("mcpServer/resource/read"),
    callTool: call("mcpServer/tool/call"),
    reload: bare("config/mcpServer/reload"),
    login: (params, options) => login(port, params, options),
    onStatus: (listener) => port.onNotification("mcpServer/startupStatus/updated", listener),
  };
}

async function login(
  port: ServerPort,
  params: McpServerOauthLoginParams,
  options: CallOptions = {},
): Promise<McpLogin> {
  const completion = new Completion(port, "mcpServer/oauthLogin/completed");
  let reply: McpServerOauthLoginResponse;
  try {
    reply = await port.request("mcpServer/oauth/login", params, options);
  } catch (error) {
    completion.stop();
    throw error;
  }
  const { authorizationUrl: url, loginId } = reply;
  const completed = completion.expect({
    // Servers before 0.166 have no id for it, only the name.
    isMine: (ended) => (loginId == null ? ended.name === params.name : ended.loginId === loginId),
    loginId: loginId ?? undefined,
    signal: options.signal,
  });
  return { url, completed };
}
