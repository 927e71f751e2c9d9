import { type Clock, systemClock } from "../clock.ts";
import type { ModelProvider } from "../model-provider.ts";

/** The built-in model. */
export function offlineProvider(_clock: Clock = systemClock): ModelProvider {
  return {
    id: "offline",
    async stream() {
      throw new Error("to come");
    },
  };
}
