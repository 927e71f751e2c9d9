import { RpcError } from "@quire/jsonrpc";
import type { McpServerOauthLoginParams, McpServerOauthLoginResponse } from "@quire/protocol";
import { isOffered, type ServerConfig } from "../config/mcp-config.ts";
import { refusalOf } from "../config/trust/refuse-program.ts";
import type { Handlers, RequestScope } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { service } from "../context/services.ts";
import { mcpOf } from "../features/mcp/index.ts";
import { coreOf } from "../features/open-core.ts";
import { errorMessage } from "../lib/error-message.ts";
import { internalError, invalidRequest } from "../lib/rpc-errors.ts";
import { CredentialsFile, isUsable } from "../mcp/credentials-file.ts";
import type { ServerSlot } from "../mcp/mcp-servers.ts";
import { allServers } from "../plugins/all-servers.ts";
import { resolveConfig } from "../thread/open-settings.ts";
import type { Thread } from "../thread/thread.ts";

/** MCP servers: how they are, and their tools and resources without a model. */
export const handlers: Handlers = {
  "mcpServerStatus/list": async ({ threadId, serverName, cursor, limit, detail }, scope) => {
    const { serverStatus } = await import("../mcp/server-status.ts");
    const full = detail !== "toolsAndAuthOnly";
    const logins = new CredentialsFile(scope.server.home);
    const loggedIn = ({ name, transport }: ServerConfig) =>
      transport.type === "http" && isStored(logins, name, transport.url);
    const options = { full, loggedIn, env: scope.server.env, signal: scope.signal };
    const page = (all: readonly ServerConfig[]) =>
      pageOf(
        all.filter(({ name }) => !serverName || name === serverName),
        cursor,
        limit,
      );
    if (threadId) {
      const servers = await mcpOf(coreOf(scope.server).threads.require(threadId)).servers();
      await servers.settled(scope.signal);
      const { rows, nextCursor } = page(servers.slots.map(({ config }) => config));
      const slots = servers.slots.filter(({ config }) => rows.includes(config));
      const data = await Promise.all(slots.map((slot) => serverStatus(slot, { ...options, ofThread: true })));
      return { data, nextCursor };
    }
    const { rows, nextCursor } = page(configured(scope.server));
    const show = (slots: readonly ServerSlot[]) =>
      Promise.all(slots.map((slot) => serverStatus(slot, { ...options, ofThread: false })));
    return { data: await withTemporaryServers(scope, rows, show), nextCursor };
  },

  "mcpServer/tool/call": async ({ threadId, server, tool, arguments: args, _meta: meta }, scope) => {
    const thread = coreOf(scope.server).threads.require(threadId);
    const running = await runningServer(thread, server, scope);
    if (!isOffered(running.config, tool)) throw internalError(`tool '${tool}' is disabled for MCP server '${server}'`);
    const given = typeof meta === "object" && meta !== null ? meta : {};
    const params = {
      name: tool,
      ...(args !== undefined && args !== null && { arguments: args }),
      _meta: { ...given, threadId },
    };
    const answer = await answered(running.request("tools/call", params, { signal: scope.signal }));
    const { content, structuredContent, isError, _meta } = answer;
    return {
      content: Array.isArray(content) ? content : [],
      ...(structuredContent !== undefined && { structuredContent }),
      ...(typeof isError === "boolean" && { isError }),
      ...(_meta !== undefined && { _meta }),
    };
  },

  "mcpServer/resource/read": async ({ threadId, server, uri, _meta }, scope) => {
    const asked = { uri, ...(_meta && { _meta }) };
    if (threadId) {
      const running = await runningServer(coreOf(scope.server).threads.require(threadId), server, scope);
      return contentsOf(await answered(running.request("resources/read", asked, { signal: scope.signal })));
    }
    const rows = configured(scope.server).filter(({ name, enabled }) => name === server && enabled);
    if (rows.length === 0) throw internalError(`unknown MCP server '${server}'`);
    return withTemporaryServers(scope, rows, async ([slot]) => {
      if (slot?.server === undefined) throw internalError(`failed to get client: ${slot?.error}`);
      return contentsOf(await answered(slot.server.request("resources/read", asked, { signal: scope.signal })));
    });
  },

  "mcpServer/event/stream/start": async (params, scope) => {
    const thread = coreOf(scope.server).threads.require(params.threadId);
    const { slots } = await mcpOf(thread).servers();
    if (!slots.some(({ config }) => config.name === params.server))
      throw invalidRequest(`MCP event subscriptions need a configured server; '${params.server}' is none`);
    const running = await runningServer(thread, params.server, scope);
    const { startEventStream } = await import("../features/mcp/event-streams.ts");
    await startEventStream(running, thread, { connection: scope.connection, params });
    return {};
  },
  "mcpServer/event/stream/stop": async ({ subscriptionId }, { connection }) => {
    const { stopEventStream } = await import("../features/mcp/event-streams.ts");
    stopEventStream(connection, subscriptionId);
    return {};
  },

  "mcpServer/oauth/login": oauthLogin,
};

async function oauthLogin(
  params: McpServerOauthLoginParams,
  { server }: RequestScope,
): Promise<McpServerOauthLoginResponse> {
  const { name, threadId } = params;
  const core = coreOf(server);
  const { raw } = threadId ? core.threads.require(threadId).config : resolveConfig(core, process.cwd(), null);
  const row = allServers(server.home, raw).find((each) => each.name === name);
  if (row === undefined) throw invalidRequest(`No MCP server named '${name}' found.`);
  if (row.transport.type !== "http") throw invalidRequest("OAuth login is only supported for streamable HTTP servers.");
  if (params.clientRegistration === "cimd" && row.transport.oauth.clientId === null)
    throw invalidRequest(
      "Quire publishes no client metadata document: log in with the registration `dcr`, or configure oauth.client_id.",
    );
  const { beginLogin } = await import("../mcp/oauth-login.ts");
  const { mcp_oauth_callback_port: port, mcp_oauth_callback_url: callbackUrl } = raw;
  const { oauth } = row.transport;
  const request = {
    home: server.home,
    name,
    url: row.transport.url,
    client: oauth,
    scopes: params.scopes ?? null,
    timeoutSec: params.timeoutSecs ?? null,
  };
  const login = await beginLogin({
    ...request,
    callbackPort: typeof port === "number" ? port : oauth.callbackPort,
    callbackUrl: typeof callbackUrl === "string" && URL.canParse(callbackUrl) ? callbackUrl : null,
    signal: endOf(server),
  }).catch((error: unknown) => {
    throw internalError(`failed to login to MCP server '${name}': ${errorMessage(error)}`);
  });
  const loginId = Bun.randomUUIDv7();
  const notify = (success: boolean, error: string | null) =>
    server.broadcast("mcpServer/oauthLogin/completed", {
      name,
      threadId: threadId ?? null,
      loginId,
      success,
      ...(error !== null && { error }),
    });
  void login.done.then(
    () => {
      // Threads whose server waited for this start it now.
      reloadServers(server);
      notify(true, null);
    },
    (error: unknown) => notify(false, errorMessage(error)),
  );
  return { authorizationUrl: login.authorizationUrl, loginId };
}

function isStored(logins: CredentialsFile, name: string, url: string): boolean {
  const login = logins.read(name, url);
  return login !== undefined && isUsable(login);
}

const end = service((server: ServerContext) => {
  const controller = new AbortController();
  server.onClose(() => controller.abort());
  return controller.signal;
});

const endOf = (server: ServerContext): AbortSignal => server.services.get(end);

/** Reads the config again and has every loaded thread follow it. */
export function reloadServers(server: ServerContext): void {
  const core = coreOf(server);
  const threads = core.threads.ids.flatMap((id) => core.threads.get(id) ?? []);
  for (const thread of threads) {
    const { raw } = resolveConfig(core, thread.settings.cwd, thread.record.meta.quire?.config ?? null);
    thread.config = {
      ...thread.config,
      raw: { ...thread.config.raw, mcp_servers: raw.mcp_servers, plugins: raw.plugins },
    };
    thread.features.reload();
  }
}

function configured(server: ServerContext): ServerConfig[] {
  return allServers(server.home, resolveConfig(coreOf(server), process.cwd(), null).raw);
}

/** Starts servers for one request and ends them again. */
async function withTemporaryServers<T>(
  scope: RequestScope,
  rows: readonly ServerConfig[],
  use: (slots: readonly ServerSlot[]) => Promise<T>,
): Promise<T> {
  const { McpServers } = await import("../mcp/mcp-servers.ts");
  const { server, signal } = scope;
  const servers = new McpServers({
    owner: `mcp-${crypto.randomUUID()}`,
    cwd: () => server.home,
    home: server.home,
    env: server.env,
    log: server.log,
    refuse: (program, startsIn) => refusalOf(coreOf(server).config, { cwd: process.cwd(), program, startsIn }),
    elicit: async () => ({ action: "decline" }),
    onStatus: () => undefined,
  });
  try {
    await servers.reload(rows);
    await servers.settled(signal);
    return await use(servers.slots);
  } finally {
    await servers.close();
  }
}

async function runningServer(thread: Thread, name: string, { signal }: RequestScope) {
  try {
    return await (await mcpOf(thread).servers()).require(name, signal);
  } catch (error) {
    throw internalError(errorMessage(error));
  }
}

/** Passes a server's error on unchanged. */
async function answered<T>(answer: Promise<T>): Promise<T> {
  const { ServerAnswer } = await import("../mcp/mcp-server.ts");
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ServerAnswer)) throw internalError(errorMessage(error));
    const { code, message, data } = error;
    throw new RpcError(data === undefined ? { code, message } : { code, message, data });
  }
}

function contentsOf({ contents }: Readonly<Record<string, unknown>>) {
  return { contents: (Array.isArray(contents) ? contents : []) as never, originCallId: null };
}

function pageOf<T>(all: readonly T[], cursor: string | null | undefined, limit: number | null | undefined) {
  const start = cursor ? Number(cursor) : 0;
  if (!Number.isInteger(start) || start < 0) throw invalidRequest(`invalid cursor: ${cursor}`);
  if (start > all.length) throw invalidRequest(`cursor ${start} exceeds total MCP servers ${all.length}`);
  const end = start + Math.max(1, limit ?? all.length);
  return { rows: all.slice(start, end), nextCursor: end < all.length ? String(end) : null };
}
