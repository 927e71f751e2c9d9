import type { ServerContext } from "../../context/server-context.ts";
import { type Service, service } from "../../context/services.ts";
import type { ModelProvider } from "../model-provider.ts";
import { isLanguageModel } from "./is-language-model.ts";
import type { LanguageModel } from "./language-model.ts";

/** A model given in code: of the AI SDK, or a provider of our own interface. */
export type EmbeddedModel = LanguageModel | ModelProvider;

/** The models that a server was given in code, by the id of their provider. */
export const embeddedModels: Service<ServerContext, Map<string, EmbeddedModel>> = service(() => new Map());

/** Adds the models that a server is given. Throws for anything that is none. */
export function embedModels(server: ServerContext, given: Readonly<Record<string, EmbeddedModel>>): void {
  const models = server.services.get(embeddedModels);
  for (const [id, model] of Object.entries(given)) {
    const { stream }: { readonly stream?: unknown } = Object(model);
    if (typeof stream !== "function" && !isLanguageModel(Object(model))) {
      throw new TypeError(
        `providers.${id} is no model: pass a LanguageModel of version 6 or 7 of the AI SDK, such as provider("name"), or a ModelProvider.`,
      );
    }
    models.set(id, model);
  }
}
