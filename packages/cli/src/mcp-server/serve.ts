import { resolve } from "node:path";
import { type AnyMethods, Connection, type RequestId, RpcError } from "@quire/jsonrpc";
import { stdioTransport } from "@quire/jsonrpc/stdio";
import type { FileUpdateChange, ServerNotification, ThreadStartParams, ThreadStartResponse } from "@quire/protocol";
import { codexVersion } from "@quire/server";
import { type Link, openLink } from "../exec/link.ts";
import { jsonRpc2 } from "../lib/json-rpc-2.ts";
import { stopSignal } from "../lib/stop-signal.ts";
import { decisionOf, elicitationOf, type Question } from "./approvals.ts";
import { type LegacyEvent, legacyEvents } from "./legacy-events.ts";
import { textArguments, tools } from "./tools.ts";

/** A call of a tool, which is one turn. */
interface Call {
  readonly requestId: RequestId;
  readonly threadId: string;
  turnId: string;
  readonly end: (result: object) => void;
  message: string;
  error: string | undefined;
  readonly changes: Map<string, readonly FileUpdateChange[]>;
}

/** Serves MCP clients on stdin and stdout until they are gone. */
export async function serveMcp(overrides: Readonly<Record<string, unknown>>): Promise<void> {
  await using link = await openLink({
    overrides,
    clientName: "codex-mcp-server",
    source: "appServer",
    answer: (method, params) => server.ask(method, params),
  });
  const server: McpServer = new McpServer(link);
  await Promise.race([server.closed, stopSignal()]);
}

class McpServer {
  readonly #link: Link;
  readonly #client: Connection<AnyMethods, AnyMethods>;
  /** By thread: each works on one turn at a time. */
  readonly #calls = new Map<string, Call>();

  constructor(link: Link) {
    this.#link = link;
    this.#client = new Connection<AnyMethods, AnyMethods>(jsonRpc2(stdioTransport()), {
      onRequest: (params, { method, id }) => this.#serve(method, params, id),
      onNotification: ({ method, params }) => {
        if (method === "notifications/cancelled") this.#cancel((params as { requestId?: RequestId }).requestId);
      },
    });
    link.follow((notification) => this.#take(notification));
  }

  get closed(): Promise<unknown> {
    return this.#client.closed;
  }

  /** Passes a question on to the client that called the tool. No answer, or one that is not understood, is a no. */
  async ask(method: string, params: unknown): Promise<unknown> {
    const question = params as Question["params"];
    const call = this.#calls.get(question.threadId);
    const changes = call?.changes.get(question.itemId) ?? [];
    const elicitation = call && elicitationOf({ method, params: question, changes }, String(call.requestId));
    if (!elicitation) {
      if (method === "mcpServer/elicitation/request") return { action: "cancel", content: null, _meta: null };
      throw new RpcError({ code: -32_000, message: `${method} is not supported by codex mcp-server` });
    }
    const answer = await this.#client.request("elicitation/create", elicitation).catch(() => undefined);
    return { decision: decisionOf(answer) };
  }

  #serve(method: string, params: unknown, id: RequestId): unknown {
    switch (method) {
      case "initialize": {
        const { protocolVersion = "2025-06-18" } = (params ?? {}) as { protocolVersion?: string };
        const serverInfo = { name: "codex-mcp-server", title: "Codex", version: codexVersion };
        return { protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo };
      }
      case "ping":
        return {};
      case "tools/list":
        return { tools };
      case "tools/call": {
        const { name, arguments: args } = params as { name: string; arguments?: unknown };
        return this.#callTool(name, args, id).catch((error: Error) => failure(error.message));
      }
      default:
        throw new RpcError({ code: -32_601, message: `Method not found: ${method}` });
    }
  }

  async #callTool(name: string, given: unknown, requestId: RequestId): Promise<object> {
    if (name !== "codex" && name !== "codex-reply") throw new Error(`Unknown tool '${name}'`);
    const args = textArguments(name, given);
    const opened = name === "codex" ? await this.#newThread(args, given) : await this.#oldThread(args);
    const threadId = opened.thread.id;
    if (this.#calls.has(threadId)) throw new Error(`Thread ${threadId} is at work: wait for the earlier call to end`);
    const { promise, resolve: end } = Promise.withResolvers<object>();
    const call: Call = { requestId, threadId, turnId: "", end, message: "", error: undefined, changes: new Map() };
    this.#calls.set(threadId, call);
    this.#tell(call, sessionConfigured(opened));
    try {
      const input = [{ type: "text" as const, text: args.prompt ?? "", text_elements: [] }];
      const { turn } = await this.#link.connection.request("turn/start", { threadId, input });
      call.turnId = turn.id;
      return await promise;
    } finally {
      this.#calls.delete(threadId);
    }
  }

  #newThread(args: Readonly<Record<string, string | undefined>>, given: unknown): Promise<ThreadStartResponse> {
    const { config } = given as { config?: Record<string, unknown> };
    const overrides = {
      ...config,
      ...(args.profile !== undefined && { profile: args.profile }),
      ...(args["compact-prompt"] !== undefined && { compact_prompt: args["compact-prompt"] }),
    };
    return this.#link.connection.request("thread/start", {
      cwd: resolve(args.cwd ?? "."),
      model: args.model,
      sandbox: args.sandbox as ThreadStartParams["sandbox"],
      approvalPolicy: args["approval-policy"] as ThreadStartParams["approvalPolicy"],
      baseInstructions: args["base-instructions"],
      developerInstructions: args["developer-instructions"],
      ...(Object.keys(overrides).length > 0 && { config: overrides }),
    });
  }

  #oldThread(args: Readonly<Record<string, string | undefined>>): Promise<ThreadStartResponse> {
    const threadId = args.threadId ?? args.conversationId ?? args.sessionId;
    if (threadId === undefined) throw new Error("Failed to parse arguments of codex-reply: 'threadId' is required");
    return this.#link.connection.request("thread/resume", { threadId });
  }

  #take(notification: ServerNotification): void {
    const { threadId } = notification.params as { threadId?: string };
    const call = threadId === undefined ? undefined : this.#calls.get(threadId);
    if (!call) return;
    const { method, params } = notification;
    if (method === "turn/started") call.turnId = params.turn.id;
    if (method === "item/started" && params.item.type === "fileChange")
      call.changes.set(params.item.id, params.item.changes);
    if (method === "item/completed" && params.item.type === "agentMessage") call.message = params.item.text;
    if (method === "error" && !params.willRetry) call.error = params.error.message;
    for (const event of legacyEvents(notification)) this.#tell(call, event);
    if (method !== "turn/completed") return;
    const { status, error, id } = params.turn;
    if (status === "interrupted") this.#tell(call, { type: "turn_aborted", turn_id: id, reason: "interrupted" });
    else this.#tell(call, { type: "task_complete", turn_id: id, last_agent_message: call.message || null });
    const structured = { threadId: call.threadId };
    if (status === "completed") call.end(success(call.message, structured));
    else call.end(failure(error?.message ?? call.error ?? "The turn was interrupted.", structured));
  }

  #tell(call: Call, msg: LegacyEvent): void {
    const _meta = { requestId: call.requestId, threadId: call.threadId };
    this.#client.notify("codex/event", { _meta, id: call.turnId, msg });
  }

  #cancel(requestId: RequestId | undefined): void {
    const call = [...this.#calls.values()].find((each) => each.requestId === requestId);
    if (!call) return;
    const { threadId, turnId } = call;
    void this.#link.connection.request("turn/interrupt", { threadId, turnId }).catch(() => undefined);
  }
}

function sessionConfigured({ thread, model, modelProvider, approvalPolicy, cwd }: ThreadStartResponse): LegacyEvent {
  return {
    type: "session_configured",
    session_id: thread.id,
    model,
    model_provider_id: modelProvider,
    approval_policy: approvalPolicy,
    cwd,
    history_log_id: 0,
    history_entry_count: 0,
    rollout_path: thread.path ?? null,
  };
}

function success(content: string, structured: { threadId: string }): object {
  return { content: [{ type: "text", text: content }], structuredContent: { ...structured, content } };
}

function failure(message: string, structured?: { threadId: string }): object {
  return {
    content: [{ type: "text", text: message }],
    ...(structured && { structuredContent: { ...structured, content: message } }),
    isError: true,
  };
}
