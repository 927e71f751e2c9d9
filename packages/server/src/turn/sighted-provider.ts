import type { ProviderConfig } from "../config/effective-config.ts";
import { factsOf } from "../config/models/facts-memory.ts";
import { type Service, service } from "../context/services.ts";
import { leaveOutImages } from "../model/leave-out-images.ts";
import { ModelError, type ModelProvider } from "../model/model-provider.ts";
import type { Thread } from "../thread/thread.ts";

/** The words by which providers refuse images. */
const refusal =
  /unknown variant `?image_url|images? inputs? (?:is|are|isn't) not|(?:not|n't) support (?:images?|vision|multimodal)|support image input|not a (?:multimodal|vision) model|at most 0 images?|image_url is only supported|input is not enabled for this model|missing data required for image|content must be a string/i;

/** Models that have refused images, by their address. Found out anew by each process. */
const blind = new Set<string>();

/** A thread's note that its clients know that images are left out. */
const told: Service<Thread, { isTold: boolean }> = service(() => ({ isTold: false }));

/**
 * A provider whose models may take no images: they are left out where its list, the configuration or a refusal says so.
 * Otherwise one image would have every later request of its thread refused.
 */
export function sightedProvider(thread: Thread, config: ProviderConfig, provider: ModelProvider): ModelProvider {
  return {
    id: provider.id,
    async stream(request, sink, signal) {
      const at = `${config.id} ${config.baseUrl} ${request.model}`;
      const { images } = factsOf(
        { home: thread.core.server.home, raw: thread.config.raw, provider: config },
        request.model,
      );
      if (images !== false && !blind.has(at)) {
        try {
          return await provider.stream(request, sink, signal);
        } catch (error) {
          if (!(error instanceof ModelError) || !refusal.test(`${error.message} ${error.details}`)) throw error;
          blind.add(at);
        }
      }
      tell(thread, request.model, images === false);
      return await provider.stream({ ...request, input: leaveOutImages(request.input) }, sink, signal);
    },
  };
}

function tell(thread: Thread, model: string, isKnown: boolean): void {
  const note = thread.services.get(told);
  if (note.isTold) return;
  note.isTold = true;
  const remedy = isKnown ? `, or set images = true in [models."${model}"] if it does` : "";
  const message = `${model} takes no images: they are left out. Choose another model to have them seen${remedy}.`;
  thread.notify("warning", { threadId: thread.id, message });
}
