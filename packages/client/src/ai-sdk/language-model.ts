import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  SharedV3Warning,
} from "@ai-sdk/provider";
import { toCallError } from "./call-error.ts";
import { collect } from "./collect.ts";
import { jsonOutput } from "./json-output.ts";
import type { LiveTurn } from "./live-turn.ts";
import { readPrompt } from "./prompt/read-prompt.ts";
import { toInput } from "./prompt/user-input.ts";
import type { CodexCallOptions, CodexModelSettings } from "./settings.ts";
import type { TurnStarter } from "./turn-starter.ts";
import { unsupportedSettings } from "./warnings.ts";

/** A model of Codex, as the AI SDK calls it. Made by a provider. */
export class CodexLanguageModel implements LanguageModelV3 {
  readonly specificationVersion = "v3" as const;
  readonly provider: string = "codex";
  readonly modelId: string;
  /** Pictures are fetched by the model's host. */
  readonly supportedUrls: Record<string, RegExp[]> = { "image/*": [/^https?:\/\//, /^data:/, /^file:/] };
  readonly #starter: TurnStarter;
  readonly #settings: CodexModelSettings;

  constructor(modelId: string, settings: CodexModelSettings, starter: TurnStarter) {
    this.modelId = modelId;
    this.#settings = settings;
    this.#starter = starter;
  }

  /** Runs a step to its end. */
  async doGenerate(options: LanguageModelV3CallOptions): Promise<LanguageModelV3GenerateResult> {
    const { parts } = await this.#begin(options, false);
    return collect(parts);
  }

  /** Runs a step and gives its parts as they come. Cancelling the stream interrupts the turn. */
  async doStream(options: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
    const { parts, turn } = await this.#begin(options, true);
    const stream = new ReadableStream<LanguageModelV3StreamPart>({
      async pull(controller) {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => turn.abort(reason ?? new DOMException("The stream was cancelled", "AbortError")),
    });
    return { stream };
  }

  async #begin(options: LanguageModelV3CallOptions, isStreaming: boolean) {
    const { abortSignal: signal } = options;
    const warnings = unsupportedSettings(options);
    try {
      signal?.throwIfAborted();
      const turn = (await this.#resume(options)) ?? (await this.#start(options, isStreaming, warnings));
      return { turn, parts: turn.step({ signal, warnings }) };
    } catch (error) {
      throw signal?.aborted ? signal.reason : toCallError(error);
    }
  }

  /** The turn that waits for what this prompt brings, if one does. */
  async #resume({ prompt }: LanguageModelV3CallOptions): Promise<LiveTurn | undefined> {
    const { results, latest } = readPrompt(prompt);
    const turn = this.#starter.waitingFor(results);
    if (latest.length > 0) await turn?.steer(toInput(latest));
    turn?.resume(results);
    return turn;
  }

  async #start(
    options: LanguageModelV3CallOptions,
    isStreaming: boolean,
    warnings: SharedV3Warning[],
  ): Promise<LiveTurn> {
    const { prompt, responseFormat, tools = [], toolChoice, abortSignal: signal } = options;
    const json = await jsonOutput(responseFormat, (warning) => warnings.push(warning));
    const { threadId, ...turn } = (options.providerOptions?.codex ?? {}) as CodexCallOptions;
    const { turn: turnSettings, ...settings } = this.#settings;
    return this.#starter.start({
      ...settings,
      modelId: this.modelId,
      threadId,
      turn: { ...turnSettings, ...turn },
      prompt: readPrompt(prompt),
      sdkTools: toolChoice?.type === "none" ? [] : tools.filter((tool) => tool.type === "function"),
      json,
      // Who waits for the whole can be given the last message alone.
      reshape: json && (json.reshape ?? (isStreaming ? undefined : (text) => text)),
      includeRawChunks: options.includeRawChunks ?? false,
      signal,
      warn: (warning) => warnings.push(warning),
    });
  }
}
