import { startWorker } from "./service-worker.ts";

startWorker(self as unknown as Parameters<typeof startWorker>[0]);
