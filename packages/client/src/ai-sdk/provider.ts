import type { LanguageModelV3, ProviderV3 } from "@ai-sdk/provider";
import { markAsSdkError } from "./call-error.ts";
import { ClientSource } from "./client-source.ts";
import { CodexLanguageModel } from "./language-model.ts";
import { type CodexModelSettings, type CreateCodexOptions, mergeSettings } from "./settings.ts";
import { serversChoice, TurnStarter } from "./turn-starter.ts";

/** Gives models of Codex to the AI SDK. Call it, or hand it to a provider registry. */
export interface CodexProvider extends ProviderV3, AsyncDisposable {
  /** A model by its id; without one, or with `default`, the server's own choice. */
  (modelId?: string, settings?: CodexModelSettings): LanguageModelV3;
  /** The same. */
  languageModel(modelId?: string, settings?: CodexModelSettings): LanguageModelV3;
  /** Stops its turns and closes the client, unless that was given to it. */
  close(): Promise<void>;
}

/**
 * Makes a provider for the Vercel AI SDK. The server is reached when a model is first called.
 *
 * ```ts
 * await using codex = createCodex({ cwd, settings: { thread: { sandbox: "workspace-write" } } });
 * const { textStream } = streamText({ model: codex("gpt-5.5"), prompt: "Fix the failing test" });
 * ```
 */
export function createCodex(options: CreateCodexOptions = {}): CodexProvider {
  const source = new ClientSource(options);
  const starter = new TurnStarter(source);
  const languageModel = (modelId: string = serversChoice, settings?: CodexModelSettings): LanguageModelV3 =>
    new CodexLanguageModel(modelId, mergeSettings(options.settings, settings), starter);
  const close = async (): Promise<void> => {
    starter.close();
    await source.close();
  };
  const model = (modelId?: string, settings?: CodexModelSettings) => languageModel(modelId, settings);
  return Object.assign(model, {
    specificationVersion: "v3" as const,
    languageModel,
    embeddingModel: (modelId: string) => noSuchModel(modelId, "embeddingModel"),
    imageModel: (modelId: string) => noSuchModel(modelId, "imageModel"),
    close,
    [Symbol.asyncDispose]: close,
  });
}

/** As the AI SDK's `NoSuchModelError`, recognised by its markers. */
function noSuchModel(modelId: string, modelType: string): never {
  const name = "AI_NoSuchModelError";
  const error = new Error(`Codex has language models only: ${modelId} is asked for as ${modelType}`);
  throw markAsSdkError(Object.assign(error, { name, modelId, modelType }), name);
}
