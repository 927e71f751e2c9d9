import type { ServerContext } from "../../context/server-context.ts";
import { type Service, service } from "../../context/services.ts";
import type { ModelProvider } from "../model-provider.ts";
import type { LanguageModel } from "./language-model.ts";

/** A model given in code: of the AI SDK, or a provider of our own interface. */
export type EmbeddedModel = LanguageModel | ModelProvider;

/** The models that a server was given in code, by the id of their provider. */
export const embeddedModels: Service<ServerContext, Map<string, EmbeddedModel>> = service(() => new Map());
