import { jsonOutput } from "../ai-sdk/json-output.ts";
import { ToolBridge } from "../ai-sdk/tool-bridge.ts";
import type { CodexClient } from "../client/client.ts";
import { isObject } from "../schema/json-value.ts";
import type { TurnOptions } from "../thread/run-turn.ts";
import type { ThreadHandle } from "../thread/thread-handle.ts";
import type { InputItem } from "../turn/turn-input.ts";
import type { CodexHarnessOptions } from "./harness-options.ts";
import { HarnessTurn } from "./harness-turn.ts";
import type {
  ContinueOptions,
  ContinueState,
  HarnessSession,
  HarnessTurnControl,
  HarnessWarning,
  PromptOptions,
  ResumeState,
  SessionStart,
} from "./harness-types.ts";
import { toFunctionTool } from "./host-tools.ts";
import { instructionsOf } from "./instructions.ts";
import { readUserMessage } from "./read-user-message.ts";
import { SandboxServer } from "./sandbox-server.ts";
import { TurnApprovals } from "./turn-approvals.ts";

/** Asks the model to take up a turn that ended with the process that followed it. */
const continuePrompt = "You were interrupted. Continue where you stopped.";

const defaultStartTimeoutMs = 30_000;

/** A session: a server in the sandbox and one thread of it. */
export class CodexHarnessSession implements HarnessSession {
  readonly sessionId: string;
  readonly isResume: boolean;
  readonly #harnessId: string;
  readonly #options: CodexHarnessOptions;
  readonly #start: SessionStart;
  readonly #approvals: TurnApprovals;
  #server: Promise<SandboxServer> | undefined;
  #threadId: string | undefined;
  #thread: ThreadHandle | undefined;
  #bridge: ToolBridge | undefined;
  #instructions: string | undefined;
  #turn: HarnessTurn | undefined;
  #isCompacted = false;

  private constructor(harnessId: string, options: CodexHarnessOptions, start: SessionStart) {
    this.#harnessId = harnessId;
    this.#options = options;
    this.#start = start;
    this.sessionId = start.sessionId;
    const state = start.continueFrom ?? start.resumeFrom;
    this.isResume = state !== undefined;
    if (state) this.#threadId = threadIdOf(state, harnessId);
    this.#approvals = new TurnApprovals(start.permissionMode, start.sessionWorkDir);
  }

  /** Opens a session; rejects if the server does not start in the sandbox. */
  static async open(
    harnessId: string,
    options: CodexHarnessOptions,
    start: SessionStart,
  ): Promise<CodexHarnessSession> {
    if (Object.keys(start.headers ?? {}).length > 0)
      throw new Error("Codex takes headers of model requests from its config: set model_providers.ID.http_headers");
    const session = new CodexHarnessSession(harnessId, options, start);
    await session.#client(start.abortSignal);
    return session;
  }

  async doPromptTurn(options: PromptOptions): Promise<HarnessTurnControl> {
    return this.#run(options, readUserMessage(options.prompt));
  }

  async doContinueTurn(options: ContinueOptions): Promise<HarnessTurnControl> {
    return this.#turn?.continue(options) ?? this.#run(options, [{ type: "text", text: continuePrompt }]);
  }

  async doCompact(customInstructions?: string): Promise<void> {
    if (customInstructions !== undefined)
      throw new Error(
        "Codex compacts by its own prompt: set compact_prompt in its config, and call compact() without instructions",
      );
    const client = await this.#client();
    if (this.#threadId === undefined) return;
    // The tools of a resumed thread come with its next turn.
    const thread = this.#thread ?? (await client.resume(this.#threadId, { excludeTurns: true }));
    await thread.compact();
    this.#isCompacted = true;
  }

  async doSuspendTurn(): Promise<ContinueState> {
    await this.#turn?.suspend();
    await this.#stop();
    return { type: "continue-turn", ...this.#state() };
  }

  async doDetach(): Promise<ResumeState> {
    return this.doStop();
  }

  async doStop(): Promise<ResumeState> {
    await this.#stop();
    return { type: "resume-session", ...this.#state() };
  }

  async doDestroy(): Promise<void> {
    await this.#stop();
  }

  #state() {
    const data = this.#threadId === undefined ? {} : { threadId: this.#threadId };
    return { harnessId: this.#harnessId, specificationVersion: "harness-v1" as const, data };
  }

  async #run(options: ContinueOptions, prompt: InputItem[]): Promise<HarnessTurnControl> {
    const { abortSignal, model, responseFormat } = options;
    abortSignal?.throwIfAborted();
    const warnings: HarnessWarning[] = [];
    const thread = await this.#prepare(options, warnings);
    const format = responseFormat as Parameters<typeof jsonOutput>[0];
    const json = await jsonOutput(format, (warning) =>
      warnings.push({ type: "other", message: "details" in warning ? String(warning.details) : warning.type }),
    );
    const input: InputItem[] = json?.instruction ? [...prompt, { type: "text", text: json.instruction }] : prompt;
    // The schema is in the form of the wire, which the types of the client keep to themselves.
    const output = (json?.outputSchema ? { outputSchema: json.outputSchema } : {}) as TurnOptions;
    const turn = new HarnessTurn(
      {
        harnessId: this.#harnessId,
        threadId: thread.id,
        bridge: this.#bridge ?? new ToolBridge([]),
        approvals: this.#approvals,
        modelId: model,
        warnings,
        isCompacted: this.#isCompacted,
        reshape: json && (json.reshape ?? ((text) => text)),
        isAnswerOnly: json !== undefined,
        // A person may take long to answer the host.
        run: (signal) =>
          thread.run(input, { ...this.#options.turn, ...(model && { model }), ...output, signal, idleTimeoutMs: 0 }),
      },
      options,
    );
    this.#turn = turn;
    this.#isCompacted = false;
    void turn.ended.then(() => {
      if (this.#turn === turn && !turn.isAwaited) this.#turn = undefined;
    });
    return turn.control;
  }

  /** The thread, with the tools and the instructions of this turn. */
  async #prepare(options: ContinueOptions, warnings: HarnessWarning[]): Promise<ThreadHandle> {
    const client = await this.#client(options.abortSignal);
    const instructions = instructionsOf(options);
    const names = options.tools.map(({ name }) => name);
    if (this.#bridge && this.#bridge.tools.map(({ name }) => name).join() !== names.join())
      warnings.push({ type: "other", message: "Codex keeps the tools that its thread was started with" });
    this.#bridge ??= new ToolBridge(options.tools.map(toFunctionTool));
    if (this.#thread) {
      if (instructions !== this.#instructions) await this.#thread.inject([developerMessage(instructions)]);
    } else {
      this.#thread = await this.#open(client, options.model, instructions);
      this.#threadId = this.#thread.id;
    }
    this.#instructions = instructions;
    return this.#thread;
  }

  #open(client: CodexClient, model: string | undefined, instructions: string | undefined): Promise<ThreadHandle> {
    const { thread = {} } = this.#options;
    const isFree = (this.#start.permissionMode ?? "allow-all") === "allow-all";
    const said = [thread.developerInstructions, instructions].filter(Boolean).join("\n\n");
    const settings = {
      sandbox: thread.sandbox ?? ("workspace-write" as const),
      approvalPolicy: isFree ? ("never" as const) : ("untrusted" as const),
      cwd: this.#start.sessionWorkDir,
      ...(model && { model }),
      ...(said !== "" && { developerInstructions: said }),
      tools: this.#bridge?.tools ?? [],
    };
    if (this.#threadId === undefined) return client.thread({ ...thread, ...settings });
    const { config } = thread;
    return client.resume(this.#threadId, { ...settings, ...(config && { config }), excludeTurns: true });
  }

  async #client(signal?: AbortSignal): Promise<CodexClient> {
    const { command, server = "codex", port, listenHost, env, startTimeoutMs, client } = this.#options;
    const { sandboxSession: sandbox, sessionWorkDir: cwd } = this.#start;
    const last = await this.#server?.catch(() => undefined);
    if (last?.client.state === "closed") this.#forgetServer();
    this.#server ??= SandboxServer.start({
      sandbox,
      cwd,
      port,
      listenHost,
      env,
      signal,
      command: command ?? [server, "app-server"],
      startTimeoutMs: startTimeoutMs ?? defaultStartTimeoutMs,
      client: { ...client, onApproval: this.#approvals.ask },
    });
    const starting = this.#server;
    try {
      return (await starting).client;
    } catch (error) {
      if (this.#server === starting) this.#server = undefined;
      throw error;
    }
  }

  /** The thread is kept by its id: another server resumes it. */
  #forgetServer(): void {
    this.#server = undefined;
    this.#thread = undefined;
  }

  async #stop(): Promise<void> {
    const server = this.#server;
    this.#forgetServer();
    this.#turn = undefined;
    const running = await server?.catch(() => undefined);
    await running?.[Symbol.asyncDispose]();
  }
}

function threadIdOf(state: { harnessId: string; data: unknown }, harnessId: string): string | undefined {
  if (state.harnessId !== harnessId)
    throw new Error(`This state is of the harness ${state.harnessId}: resume it with that one, not with ${harnessId}`);
  const threadId = isObject(state.data) ? state.data.threadId : undefined;
  return typeof threadId === "string" ? threadId : undefined;
}

function developerMessage(instructions: string | undefined) {
  const text = instructions ?? "The instructions before this no longer apply.";
  return { type: "message" as const, role: "developer", content: [{ type: "input_text" as const, text }] };
}
