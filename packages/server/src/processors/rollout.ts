import type { Handlers } from "../processor.ts";
import { type Core, coreOf } from "../thread/core.ts";

/** Compressing what has not been used for long. */
export const handlers: Handlers = {
  // Answered at once: it may take long, and nobody waits for it.
  "rollout/compress": (_, { server }) => {
    const core = coreOf(server);
    if (!running.has(core)) {
      running.set(
        core,
        compress(core).finally(() => running.delete(core)),
      );
    }
    return {};
  },
};

/** Servers that are at it. */
const running = new WeakMap<Core, Promise<void>>();

async function compress(core: Core): Promise<void> {
  const { home, log } = core.server;
  const stop = new AbortController();
  core.onClose(() => {
    stop.abort();
    return running.get(core);
  });
  try {
    const { compressRollouts } = await import("../store/compress-rollouts.ts");
    const { failures } = await compressRollouts(home, stop.signal);
    for (const failure of failures) log.warn("a rollout could not be compressed and stays as it is", failure);
  } catch (error) {
    log.warn("rollouts could not be compressed; check the home's permissions and free space", error);
  }
}
