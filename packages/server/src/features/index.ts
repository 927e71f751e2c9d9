import { FeatureSet } from "../thread/features.ts";
import type { Thread } from "../thread/thread.ts";
import { agents } from "./agents/index.ts";
import { clock } from "./clock/index.ts";
import { goals } from "./goals/index.ts";
import { guardian } from "./guardian/index.ts";
import { hooks } from "./hooks/index.ts";
import { mcpTools } from "./mcp/index.ts";
import { queue } from "./queue/index.ts";
import { realtime } from "./realtime/index.ts";
import { repeatedCalls } from "./repeated-calls/index.ts";
import { telemetry } from "./telemetry/index.ts";
import { unread } from "./unread/index.ts";

/** The features of the server, in the order of their calls. To take one out, delete its line, folder and processor. */
export const features: FeatureSet<Thread> = new FeatureSet([
  agents,
  clock,
  mcpTools,
  repeatedCalls,
  hooks,
  queue,
  goals,
  unread,
  guardian,
  realtime,
  telemetry,
]);
