import {
  type ApprovalPolicy,
  CodexClient,
  RpcError,
  type Sandbox,
  type SandboxPolicyInput,
  type ThreadHandle,
  type Tool,
  type TurnOptions,
} from "@quire/client";
import { untilAborted } from "@quire/client/link";
import { tapTransport } from "@quire/jsonrpc";
import type { Executor } from "../executor/executor.ts";
import { localExecutor } from "../executor/local-executor.ts";
import type { CodexConfig } from "../workflow/config.ts";
import { WorkspaceError } from "../workspace/workspace-error.ts";
import { oneLine } from "./describe.ts";
import { followNotifications } from "./follow-notifications.ts";
import type { SessionObserver } from "./observer.ts";
import { questionPolicy } from "./question-policy.ts";
import { SessionError, toSessionError } from "./session-error.ts";
import { StderrLines } from "./stderr-lines.ts";
import { TokenMeter } from "./token-meter.ts";

/** Options of {@link AgentSession}. */
export interface SessionOptions {
  /** A shell command. */
  readonly command: string;
  /** The run's folder, and the root in which it must be. */
  readonly workspace: string;
  readonly root: string;
  /** Machine of the workspace. Default: this one. */
  readonly executor?: Executor | undefined;
  /** The child's whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: CodexConfig;
  readonly tools: readonly Tool[];
  /** A thread to go on with; where the app-server does not have it any more, a new one is started. */
  readonly resume?: string | undefined;
  /** `<identifier>: <title>`. */
  readonly title: string;
  readonly observer: SessionObserver;
  /** Ends the session, at whatever point it is. */
  readonly signal: AbortSignal;
}

/**
 * An app-server process with one thread, on which turns run one after the other. Its owner closes it; that ends the
 * process and all that it started.
 */
export class AgentSession implements AsyncDisposable {
  readonly #options: SessionOptions;
  readonly #client: CodexClient;
  readonly #needPerson = Promise.withResolvers<never>();
  readonly #stderr: StderrLines;
  readonly #meter = new TokenMeter();
  #thread: ThreadHandle | undefined;
  #isResumed = false;

  private constructor(options: SessionOptions) {
    this.#options = options;
    const { config, observer } = options;
    this.#stderr = new StderrLines((line) => observer.stderr(line));
    this.#needPerson.promise.catch(() => undefined);
    const needPerson = (error: SessionError) => this.#needPerson.reject(error);
    this.#client = new CodexClient(
      {
        ...questionPolicy({ autoApprove: config.autoApprove, observer, needPerson }),
        clientName: "quire-orchestrator",
        clientTitle: "Quire orchestrator",
        requestTimeoutMs: config.readTimeoutMs,
        turnIdleTimeoutMs: config.turnTimeoutMs,
        reconnect: false,
      },
      { isSocket: false, canRedial: false, dial: () => this.#spawn() },
    );
    followNotifications(this.#client, { observer, meter: this.#meter, needPerson });
  }

  /** Starts the app-server in the workspace, shakes hands, and starts the thread. */
  static async start(options: SessionOptions): Promise<AgentSession> {
    const { observer, signal } = options;
    try {
      signal.throwIfAborted();
      await checkWorkspace(options);
      const session = new AgentSession(options);
      try {
        await untilAborted(session.#open(), signal);
      } catch (error) {
        await session.close();
        throw error;
      }
      return session;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof WorkspaceError) throw error;
      const failure = toSessionError(error, "startup");
      observer.event("startup_failed", oneLine(failure.message), failure.code);
      throw failure;
    }
  }

  /** Id of the thread. */
  get threadId(): string {
    return this.#opened().id;
  }

  /** True if the thread is the one that was to be gone on with. */
  get isResumed(): boolean {
    return this.#isResumed;
  }

  /** Runs a turn to its end; returns what the agent said last. Rejects for every end but completion. */
  async runTurn(prompt: string): Promise<string> {
    const { observer, signal } = this.#options;
    let turnId: string | undefined;
    try {
      this.#meter.begin();
      const turn = this.#opened().run(prompt, this.#turnOptions());
      const started = turn.id.then((id) => {
        turnId = id;
        observer.ids(this.threadId, id);
        observer.event("turn_started", `${this.threadId}-${id}`);
      });
      started.catch(() => undefined);
      const { status, agentMessage } = await untilAborted(Promise.race([turn, this.#needPerson.promise]), signal);
      if (status !== "completed") throw new SessionError("turn_cancelled", "The turn was interrupted");
      observer.event("turn_completed", oneLine(agentMessage));
      return agentMessage;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const failure = toSessionError(error, turnId === undefined ? "startup" : "turn");
      const kind =
        failure.code === "turn_failed" || failure.code === "turn_cancelled" ? failure.code : "turn_ended_with_error";
      observer.event(kind, oneLine(failure.message), failure.code);
      throw failure;
    }
  }

  /** Ends the app-server with all that it started. Idempotent, never rejects. */
  async close(): Promise<void> {
    await this.#client.close().catch(() => undefined);
    this.#stderr.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #spawn() {
    const { command, workspace, root, env, observer, tools, executor = localExecutor } = this.#options;
    const transport = executor.dial({
      command,
      workspace,
      root,
      env,
      onStderr: (chunk) => this.#stderr.add(chunk),
      onProcess: (pid) => observer.process(pid),
    });
    const names = new Set(tools.map(({ name }) => name));
    return tapTransport(transport, (direction, text) => {
      if (direction === "out") return;
      observer.activity();
      if (text.includes('"item/tool/call"')) reportToolCall(text, names, observer);
    });
  }

  async #open(): Promise<void> {
    const { title, observer } = this.#options;
    await this.#client.connect();
    this.#thread = (await this.#resumed()) ?? (await this.#client.thread(this.#threadOptions()));
    const { id } = this.#thread;
    if (typeof id !== "string" || id === "")
      throw new SessionError("response_error", "The reply to thread/start names no thread");
    observer.ids(id, null);
    observer.event("session_started", `thread ${id}`);
    // A title is a comfort: if the server has none, the thread stays without.
    await this.#thread.rename(title).catch(() => undefined);
  }

  /** The thread to go on with, if there is one that can be. */
  async #resumed(): Promise<ThreadHandle | undefined> {
    const { resume, observer } = this.#options;
    if (resume === undefined) return undefined;
    this.#meter.resume(resume);
    try {
      const thread = await this.#client.resume(resume, this.#threadOptions());
      this.#isResumed = true;
      return thread;
    } catch (error) {
      if (!RpcError.is(error)) throw error;
      observer.event("notification", oneLine(`A new thread takes the place of ${resume}: ${error.message}`));
      return undefined;
    }
  }

  #threadOptions() {
    const { workspace, tools, config } = this.#options;
    return {
      cwd: workspace,
      tools,
      approvalPolicy: config.approvalPolicy as ApprovalPolicy,
      sandbox: sandboxMode(config.threadSandbox) as Sandbox,
    };
  }

  #opened(): ThreadHandle {
    if (!this.#thread) throw new SessionError("response_error", "The session has no thread");
    return this.#thread;
  }

  #turnOptions(): TurnOptions {
    const { config, workspace, title } = this.#options;
    const policy =
      config.turnSandboxPolicy ?? (typeof config.threadSandbox === "object" ? config.threadSandbox : undefined);
    // `title` is a word of the session's own protocol; servers that do not know it ignore it.
    return {
      cwd: workspace,
      approvalPolicy: config.approvalPolicy as ApprovalPolicy,
      ...(policy != null && { sandboxPolicy: policy as SandboxPolicyInput }),
      ...({ title } as object),
    };
  }
}

async function checkWorkspace({ root, workspace, executor = localExecutor }: SessionOptions): Promise<void> {
  try {
    await executor.check(workspace, root);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === "host_lost") throw error;
    throw new SessionError("invalid_workspace_cwd", (error as Error).message, { cause: error });
  }
}

/** A thread takes a mode; of a whole policy, which a turn takes, its type is the mode. */
function sandboxMode(sandbox: unknown): unknown {
  return typeof sandbox === "object" && sandbox !== null ? (sandbox as { type?: unknown }).type : sandbox;
}

function reportToolCall(text: string, names: ReadonlySet<string>, observer: SessionObserver): void {
  try {
    const { method, params } = JSON.parse(text) as { method?: string; params?: { tool?: string } };
    if (method !== "item/tool/call") return;
    const tool = String(params?.tool);
    if (names.has(tool)) observer.event("tool_call", tool, tool);
    else observer.event("unsupported_tool_call", `The agent called ${tool}, which does not exist`, tool);
  } catch {
    // Not a message; that has an event of its own.
  }
}
