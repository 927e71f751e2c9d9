import type { Handlers } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { service } from "../context/services.ts";

/** Compressing what has not been used for long. */
export const handlers: Handlers = {
  // Replies at once: it may take long, and nobody waits for it.
  "rollout/compress": (_, { server }) => {
    server.services.get(compression).start();
    return {};
  },
};

/** Runs one at a time; the server's end stops it. */
const compression = service((server: ServerContext) => {
  const stop = new AbortController();
  let running: Promise<void> | undefined;
  server.onClose(() => {
    stop.abort();
    return running;
  });
  return {
    start(): void {
      running ??= compress(server, stop.signal).finally(() => {
        running = undefined;
      });
    },
  };
});

async function compress({ home, log }: ServerContext, signal: AbortSignal): Promise<void> {
  try {
    const { compressRollouts } = await import("../store/compress-rollouts.ts");
    const { failures } = await compressRollouts(home, signal);
    for (const failure of failures) log.warn("a rollout could not be compressed and stays as it is", failure);
  } catch (error) {
    log.warn("rollouts could not be compressed; check the home's permissions and free space", error);
  }
}
