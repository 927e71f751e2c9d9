import type {
  CommandExecParams,
  CommandExecResponse,
  ModelListParams,
  ModelListResponse,
  ReviewStartParams,
  ReviewStartResponse,
  Thread,
  ThreadListParams,
  ThreadListResponse,
  Turn,
  TurnStartParams,
} from "@quire/protocol";
import type { CallOptions } from "../port/server-port.ts";
import { type ApprovalPolicy, type SandboxPolicyInput, toApprovalPolicy, toSandboxPolicy } from "../port/spelling.ts";
import type { ReviewOptions, ReviewResult } from "../thread/review.ts";
import type { JsonOutputOptions, OutputOptions, RunOptions, TurnOptions } from "../thread/run-turn.ts";
import type { ResumeOptions, StartOptions, ThreadDefaults } from "../thread/start-params.ts";
import type { ThreadHandle } from "../thread/thread-handle.ts";
import { type InputItem, type TurnInput, toUserInput } from "../turn/turn-input.ts";
import type { TurnResult } from "../turn/turn-result.ts";
import { ClientGroups } from "./client-groups.ts";
import {
  type CodexClientOptions,
  type ConnectOptions,
  classicTurnTimeoutMs,
  defaultModel,
  type ServerAddress,
  type SpawnOptions,
} from "./client-options.ts";
import { type Dialer, socketDialer, spawnDialer, transportDialer } from "./dial.ts";

/** Params of {@link CodexClient.startTurn}; policies may be spelled as older versions did. */
export interface StartTurnParams extends Omit<TurnStartParams, "input" | "approvalPolicy" | "sandboxPolicy"> {
  readonly input: readonly InputItem[];
  readonly approvalPolicy?: ApprovalPolicy | undefined;
  readonly sandboxPolicy?: SandboxPolicyInput | undefined;
}

/** Params of {@link CodexClient.steerTurn}. */
export interface SteerTurnParams {
  readonly threadId: string;
  readonly input: readonly InputItem[];
  readonly expectedTurnId: string;
}

/** Params of {@link CodexClient.startReview}. */
export type StartReviewParams = Pick<ReviewOptions, "target" | "delivery"> & { readonly threadId: string };

/** Params of {@link CodexClient.runTurn}. */
export interface RunTurnParams {
  readonly threadId: string;
  readonly input: TurnInput;
}

/**
 * A client of the Codex app-server.
 *
 * ```ts
 * await using codex = await CodexClient.spawn({ cwd });
 * const thread = await codex.thread({ sandbox: "workspace-write" });
 * const { agentMessage } = await thread.run("Fix the failing test");
 * ```
 */
export class CodexClient extends ClientGroups {
  /**
   * A client that is not connected yet. Without `transport` it will spawn `command`. Threads that it starts get
   * `model`, `cwd`, `approvalPolicy` and `sandbox` of these options, which have defaults: `gpt-5.3-codex`, the current
   * folder, `never`, `workspaceWrite`; it calls itself `openclaw`, and a turn has 5 minutes. In clients made by {@link spawn} and {@link connect} the server's own settings
   * decide what is not set.
   *
   * @param dialer For the factories: the way to the server, with nothing filled in for threads.
   */
  constructor(options: CodexClientOptions = {}, dialer?: Dialer) {
    super(
      dialer ?? (options.transport ? transportDialer(options.transport, options) : spawnDialer(options)),
      dialer ? options : withClassicDefaults(options),
      dialer ? pickDefaults(options) : { ...classicDefaults(), ...pickDefaults(options) },
    );
  }

  /** Starts an app-server as a child process and connects to it. Closing the client ends the child and all it started. */
  static async spawn(options: SpawnOptions = {}): Promise<CodexClient> {
    return opened(new CodexClient(options, spawnDialer(options)));
  }

  /**
   * Connects to a server by `ws://`, `wss://` or `unix://`, or by a transport, such as that of a server in this process.
   * Lost sockets come back by themselves, and so do transports that a function makes.
   */
  static async connect(server: ServerAddress, options: ConnectOptions = {}): Promise<CodexClient> {
    const dialer = typeof server === "string" ? socketDialer(server, options) : transportDialer(server, options);
    return opened(new CodexClient(options, dialer));
  }

  /** Starts a thread; gives what the server says of it. {@link thread} gives a handle instead. */
  async startThread(params: StartOptions = {}, options?: CallOptions): Promise<Thread> {
    return dataOf(await this.thread(params, options));
  }

  /** Takes up a stored thread. */
  async resumeThread(threadId: string, params: ResumeOptions = {}, options?: CallOptions): Promise<Thread> {
    return dataOf(await this.resume(threadId, params, options));
  }

  /** Branches a thread off. */
  async forkThread(threadId: string, options?: CallOptions): Promise<Thread> {
    return dataOf(await this.handle(threadId).fork({}, options));
  }

  /** Reads a thread as stored, with its turns if asked for. */
  async readThread(threadId: string, includeTurns = false, options?: CallOptions): Promise<Thread> {
    return (await this.request("thread/read", { threadId, includeTurns }, options)).thread;
  }

  /** Gives a page of the stored threads, newest first. */
  listThreads(params: ThreadListParams = {}, options?: CallOptions): Promise<ThreadListResponse> {
    return this.request("thread/list", params, options);
  }

  /** Puts a thread away. */
  async archiveThread(threadId: string, options?: CallOptions): Promise<void> {
    await this.handle(threadId).archive(options);
  }

  /** Begins to shorten a thread's history. `thread.compact()` waits for the end. */
  async compactThread(threadId: string, options?: CallOptions): Promise<void> {
    await this.request("thread/compact/start", { threadId }, options);
  }

  /** Begins a turn and does not wait for it: its events are this client's. {@link runTurn} waits. */
  async startTurn(params: StartTurnParams, options?: CallOptions): Promise<Turn> {
    const { approvalPolicy, sandboxPolicy, input, ...rest } = params;
    const wire = {
      ...rest,
      input: toUserInput(input),
      ...(approvalPolicy !== undefined && { approvalPolicy: toApprovalPolicy(approvalPolicy, this.serverVersion) }),
      ...(sandboxPolicy !== undefined && { sandboxPolicy: toSandboxPolicy(sandboxPolicy) }),
    };
    return (await this.request("turn/start", wire, options)).turn;
  }

  /** Adds input to a running turn; gives its id. */
  async steerTurn({ input, ...params }: SteerTurnParams, options?: CallOptions): Promise<string> {
    return (await this.request("turn/steer", { ...params, input: toUserInput(input) }, options)).turnId;
  }

  /** Asks for a turn to be stopped; `turn:completed` tells when it is. */
  async interruptTurn(threadId: string, turnId: string, options?: CallOptions): Promise<void> {
    await this.request("turn/interrupt", { threadId, turnId }, options);
  }

  /** Begins a review and does not wait for it. {@link runReview} waits. */
  startReview(params: StartReviewParams, options?: CallOptions): Promise<ReviewStartResponse> {
    return this.request("review/start", params as ReviewStartParams, options);
  }

  /** Gives a page of the models on offer. */
  listModels(params: ModelListParams = {}, options?: CallOptions): Promise<ModelListResponse> {
    return this.request("model/list", params, options);
  }

  /** Runs a command in the server's sandbox, outside of any thread. */
  execCommand(params: CommandExecParams, options?: CallOptions): Promise<CommandExecResponse> {
    return this.request("command/exec", params, options);
  }

  /** Runs a turn to its end. Rejects when it fails. */
  runTurn(params: RunTurnParams & TurnOptions & { readonly output?: undefined }): Promise<TurnResult>;
  runTurn<Output>(params: RunTurnParams & OutputOptions<Output>): Promise<TurnResult<Output>>;
  runTurn(params: RunTurnParams & JsonOutputOptions): Promise<TurnResult<unknown>>;
  async runTurn({ threadId, input, ...options }: RunTurnParams & RunOptions): Promise<TurnResult<unknown>> {
    return this.handle(threadId).run(input, options as JsonOutputOptions);
  }

  /** Runs a review to its end. */
  async runReview({ threadId, ...options }: ReviewOptions & { readonly threadId: string }): Promise<ReviewResult> {
    return this.handle(threadId).review(options);
  }
}

async function opened(client: CodexClient): Promise<CodexClient> {
  await client.connect();
  return client;
}

function withClassicDefaults(options: CodexClientOptions): CodexClientOptions {
  const { clientName = "openclaw", turnTimeoutMs = classicTurnTimeoutMs } = options;
  return { ...options, clientName, turnTimeoutMs };
}

function classicDefaults(): ThreadDefaults {
  const { process } = globalThis as { process?: { cwd?(): string } };
  return { model: defaultModel, cwd: process?.cwd?.(), approvalPolicy: "never", sandbox: "workspaceWrite" };
}

function pickDefaults({ model, cwd, approvalPolicy, sandbox }: ThreadDefaults): ThreadDefaults {
  return Object.fromEntries(
    Object.entries({ model, cwd, approvalPolicy, sandbox }).filter(([, value]) => value !== undefined),
  );
}

function dataOf(handle: ThreadHandle): Thread {
  if (!handle.data) throw new Error(`The server said nothing of thread ${handle.id}`);
  return handle.data;
}
