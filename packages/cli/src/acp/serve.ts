import { isAbsolute } from "node:path";
import { type ApprovalRequest, type CodexClient, type ThreadHandle, TurnError, type TurnHandle } from "@quire/client";
import { failureMessage } from "@quire/client/link";
import type { ApprovalDecision } from "@quire/client/questions";
import { type AnyMethods, Connection, RpcError } from "@quire/jsonrpc";
import { stdioTransport } from "@quire/jsonrpc/stdio";
import { quireVersion } from "@quire/protocol";
import { jsonRpc2 } from "../lib/json-rpc-2.ts";
import { stopSignal } from "../lib/stop-signal.ts";
import { type Connected, connect, type ServerFlagValues } from "../server/connect.ts";
import { askedCall, decisionOf, permissionOptions } from "./permissions.ts";
import { acpVersion, type SessionParams, type SessionUpdate } from "./protocol.ts";
import { mcpConfig, readPrompt } from "./read-prompt.ts";
import { replayed, TurnUpdates } from "./updates.ts";

/** Serves an editor on stdin and stdout until it is gone. */
export async function serveAcp(flags: ServerFlagValues): Promise<void> {
  await using agent = new AcpAgent(flags);
  await Promise.race([agent.closed, stopSignal()]);
}

interface Session {
  readonly thread: ThreadHandle;
  /** The turn that runs. */
  turn?: TurnHandle | undefined;
}

const invalidParams = -32_602;

/** An agent of the Agent Client Protocol: sessions are threads of an app-server, which is started with the first. */
class AcpAgent implements AsyncDisposable {
  readonly #flags: ServerFlagValues;
  readonly #editor: Connection<AnyMethods, AnyMethods>;
  readonly #sessions = new Map<string, Session>();
  #connected: Promise<Connected> | undefined;

  constructor(flags: ServerFlagValues) {
    this.#flags = flags;
    this.#editor = new Connection<AnyMethods, AnyMethods>(jsonRpc2(stdioTransport()), {
      onRequest: (params, { method }) => this.#serve(method, params as SessionParams),
      onNotification: ({ method, params }) => {
        if (method === "session/cancel") this.#cancel((params as SessionParams).sessionId);
      },
    });
  }

  get closed(): Promise<unknown> {
    return this.#editor.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#editor.close();
    await (await this.#connected?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }

  #serve(method: string, params: SessionParams): unknown {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: acpVersion,
          agentInfo: { name: "quire", title: "Quire", version: quireVersion },
          agentCapabilities: {
            loadSession: true,
            promptCapabilities: { image: true, embeddedContext: true },
            mcpCapabilities: { http: true },
          },
          authMethods: [],
        };
      case "authenticate":
        return {};
      case "session/new":
        return this.#new(params);
      case "session/load":
        return this.#load(params);
      case "session/prompt":
        return this.#prompt(params);
      default:
        throw new RpcError({ code: -32_601, message: `Method not found: ${method}` });
    }
  }

  async #client(): Promise<CodexClient> {
    this.#connected ??= connect(this.#flags, {
      source: "appServer",
      client: { clientName: "quire-acp", turnIdleTimeoutMs: 0, onApproval: (request) => this.#ask(request) },
    });
    try {
      return (await this.#connected).client;
    } catch (error) {
      // The next session tries again.
      this.#connected = undefined;
      throw error;
    }
  }

  async #new({ cwd, mcpServers = [] }: SessionParams): Promise<object> {
    const client = await this.#client();
    const thread = await client.thread({ cwd: absolute(cwd), config: mcpConfig(mcpServers) });
    this.#sessions.set(thread.id, { thread });
    return { sessionId: thread.id };
  }

  /** Takes up a thread, and tells the editor all that was said on it. */
  async #load({ sessionId, cwd, mcpServers = [] }: SessionParams): Promise<object> {
    const client = await this.#client();
    const config = mcpConfig(mcpServers);
    const thread = await client.resume(sessionId, { cwd: absolute(cwd), config });
    this.#sessions.set(sessionId, { thread });
    for await (const item of thread.items()) for (const update of replayed(item)) this.#update(sessionId, update);
    return {};
  }

  async #prompt({ sessionId, prompt }: SessionParams): Promise<object> {
    const session = this.#sessions.get(sessionId);
    if (!session)
      throw new RpcError({ code: invalidParams, message: `There is no session ${sessionId}: load it first` });
    if (session.turn)
      throw new RpcError({ code: invalidParams, message: "The session works on a prompt: cancel it first" });
    const turn = session.thread.run(readPrompt(prompt));
    session.turn = turn;
    const updates = new TurnUpdates((update) => this.#update(sessionId, update));
    try {
      for await (const event of turn) updates.take(event);
      const { status } = await turn;
      return { stopReason: status === "interrupted" ? "cancelled" : "end_turn" };
    } catch (error) {
      if (!TurnError.is(error)) throw error;
      if (error.codexErrorInfo === "contextWindowExceeded") return { stopReason: "max_tokens" };
      throw new RpcError({ code: -32_603, message: failureMessage(error) });
    } finally {
      session.turn = undefined;
    }
  }

  #cancel(sessionId: string): void {
    // The prompt's own reply says that it was cancelled.
    this.#sessions
      .get(sessionId)
      ?.turn?.interrupt()
      .catch(() => undefined);
  }

  /** Asks the editor. One that does not answer, or is gone, declines. */
  async #ask(request: ApprovalRequest): Promise<ApprovalDecision> {
    const params = { sessionId: request.threadId, toolCall: askedCall(request), options: permissionOptions };
    const { signal } = request;
    return decisionOf(
      await this.#editor.request("session/request_permission", params, { signal }).catch(() => undefined),
    );
  }

  #update(sessionId: string, update: SessionUpdate): void {
    if (this.#editor.open) this.#editor.notify("session/update", { sessionId, update });
  }
}

function absolute(cwd: unknown): string {
  if (typeof cwd === "string" && isAbsolute(cwd)) return cwd;
  throw new RpcError({ code: invalidParams, message: "`cwd` is an absolute path" });
}
