import type { LanguageModelV3FunctionTool, SharedV3Warning } from "@ai-sdk/provider";
import { ConnectionError } from "@quire/jsonrpc";
import { supports } from "@quire/protocol/versions";
import type { CodexClient } from "../client/client.ts";
import type { TurnOptions } from "../thread/run-turn.ts";
import type { StartOptions } from "../thread/start-params.ts";
import type { ThreadHandle } from "../thread/thread-handle.ts";
import type { InputItem } from "../turn/turn-input.ts";
import { toCallError } from "./call-error.ts";
import type { ClientSource } from "./client-source.ts";
import type { JsonOutput } from "./json-output.ts";
import { LiveTurn } from "./live-turn.ts";
import { renderHistory, toHistoryItems } from "./prompt/history.ts";
import type { AnsweredCall, ReadPrompt } from "./prompt/read-prompt.ts";
import { toInput } from "./prompt/user-input.ts";
import { type CodexModelSettings, defaultToolTimeoutMs } from "./settings.ts";
import { ToolBridge } from "./tool-bridge.ts";

/** The model id that leaves the choice to the server. */
export const serversChoice: string = "default";

/** The parameters of a turn. */
export interface TurnRequest extends Omit<CodexModelSettings, "turn"> {
  readonly modelId: string;
  readonly threadId: string | undefined;
  readonly turn: TurnOptions;
  readonly prompt: ReadPrompt;
  readonly sdkTools: readonly LanguageModelV3FunctionTool[];
  readonly json: JsonOutput | undefined;
  readonly reshape: ((text: string) => string) | undefined;
  readonly includeRawChunks: boolean;
  readonly signal: AbortSignal | undefined;
  warn(warning: SharedV3Warning): void;
}

/** Threads whose tools are remembered, so as to say when a call brings others. */
const maxRememberedThreads = 1000;

/** Starts turns for all models of a provider, and knows those that are under way. */
export class TurnStarter {
  readonly #source: ClientSource;
  readonly #live = new Set<LiveTurn>();
  /** Threads that are being released: taking one up again waits for that. */
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #toolsOf = new Map<string, string>();

  constructor(source: ClientSource) {
    this.#source = source;
  }

  /** The turn that waits for one of these results. */
  waitingFor(results: readonly AnsweredCall[]): LiveTurn | undefined {
    return [...this.#live].find((turn) => results.some((each) => turn.awaits(each)));
  }

  /** Starts a turn, on a new thread or on the one named. Rejects where the server refuses. */
  async start(request: TurnRequest): Promise<LiveTurn> {
    const bridge = new ToolBridge(request.sdkTools);
    const { thread, isOurs, input } = await this.#prepare(request, bridge).catch((error: unknown) => {
      throw toCallError(error, true);
    });
    const { json, signal: _, turn: options, ...rest } = request;
    const turn = new LiveTurn({
      ...rest,
      threadId: thread.id,
      bridge,
      isAnswerOnly: json !== undefined,
      toolTimeoutMs: request.toolTimeoutMs ?? defaultToolTimeoutMs,
      run: (signal) => thread.run(input, { ...options, ...outputOf(json), signal }),
    });
    this.#live.add(turn);
    void turn.end().then(() => {
      this.#live.delete(turn);
      if (isOurs) this.#leave(thread);
    });
    await turn.id;
    return turn;
  }

  /** Stops all turns. */
  close(): void {
    const reason = new ConnectionError("closed", "The provider was closed", { mayHaveRun: true });
    for (const turn of this.#live) turn.abort(reason);
  }

  async #prepare(request: TurnRequest, bridge: ToolBridge) {
    const client = await this.#source.get();
    const { thread, isOurs } = await this.#open(client, request, bridge);
    try {
      const input = await openingInput(client, thread, request);
      request.signal?.throwIfAborted();
      return { thread, isOurs, input };
    } catch (error) {
      if (isOurs) this.#leave(thread);
      throw error;
    }
  }

  async #open(
    client: CodexClient,
    request: TurnRequest,
    bridge: ToolBridge,
  ): Promise<{ thread: ThreadHandle; isOurs: boolean }> {
    const { threadId, signal, thread: settings, tools: ownTools = [], modelId, prompt } = request;
    const tools = [...ownTools, ...bridge.tools];
    const developerInstructions = [settings?.developerInstructions, prompt.instructions].filter(Boolean).join("\n\n");
    const options: StartOptions = {
      ...settings,
      ...(modelId !== serversChoice && { model: modelId }),
      ...(developerInstructions !== "" && { developerInstructions }),
      tools,
    };
    if (threadId === undefined) {
      const thread = await client.thread(options, { signal });
      this.#remember(thread.id, tools);
      return { thread, isOurs: true };
    }
    for (const turn of this.#live) if (turn.threadId === threadId && turn.isWaiting) await this.#giveUp(turn);
    await this.#leaving.get(threadId);
    if (tools.length > 0 && this.#toolsOf.get(threadId) !== signature(tools)) {
      const details = "a thread keeps the tools that it was started with; others are not offered to the model";
      request.warn({ type: "compatibility", feature: "tools on a thread that is gone on with", details });
    }
    // A thread that is followed already stays so.
    const isOurs = client.handle(threadId).data === undefined;
    const { model, developerInstructions: said, cwd, approvalPolicy, sandbox, config } = options;
    const changes = { model, developerInstructions: said, cwd, approvalPolicy, sandbox, config };
    return { thread: await client.resume(threadId, { ...changes, tools, excludeTurns: true }, { signal }), isOurs };
  }

  /** A new message on a thread whose turn still waits for tools: nobody will bring their results any more. */
  async #giveUp(turn: LiveTurn): Promise<void> {
    turn.abort(new Error("The thread was gone on with"), "The user went on without the result");
    await turn.end();
  }

  #leave(thread: ThreadHandle): void {
    const left = thread
      .unsubscribe()
      .catch(() => undefined)
      .finally(() => this.#leaving.delete(thread.id));
    this.#leaving.set(thread.id, left);
  }

  #remember(threadId: string, tools: StartOptions["tools"]): void {
    this.#toolsOf.set(threadId, signature(tools));
    const [oldest] = this.#toolsOf.keys();
    if (this.#toolsOf.size > maxRememberedThreads && oldest !== undefined) this.#toolsOf.delete(oldest);
  }
}

const signature = (tools: StartOptions["tools"] = []): string => tools.map(({ name }) => name).join();

/** `outputSchema` is the wire's own, so it goes past the client's `output`, which would parse the answer as well. */
function outputOf(json: JsonOutput | undefined): TurnOptions {
  return (json?.outputSchema ? { outputSchema: json.outputSchema } : {}) as TurnOptions;
}

/** The input of the turn. Earlier messages go into the history of a new thread, or into the text. */
async function openingInput(
  client: CodexClient,
  thread: ThreadHandle,
  { prompt, threadId, json, signal }: TurnRequest,
): Promise<InputItem[]> {
  const { history, latest, results } = prompt;
  const input = toInput(latest);
  const before: string[] = [];
  if (threadId !== undefined) {
    if (results.length > 0)
      before.push(renderHistory([{ role: "tool", content: results.map(({ result }) => result) }]));
  } else if (history.length > 0) {
    if (supports("thread/inject_items", client.serverVersion ?? "") === false) before.push(renderHistory(history));
    else await thread.inject(toHistoryItems(history), { signal });
  }
  const after = json?.instruction === undefined ? [] : [json.instruction];
  const asText = (text: string): InputItem => ({ type: "text", text });
  return [...before.map(asText), ...input, ...after.map(asText)];
}
