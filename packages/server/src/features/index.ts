import { FeatureSet } from "../thread/features.ts";
import type { Thread } from "../thread/thread.ts";
import { agents } from "./agents/index.ts";
import { clock } from "./clock/index.ts";
import { goals } from "./goals/index.ts";
import { guardian } from "./guardian/index.ts";
import { hooks } from "./hooks/index.ts";
import { mcpTools } from "./mcp/index.ts";
import { realtime } from "./realtime/index.ts";
import { telemetry } from "./telemetry/index.ts";

/** The features of the server. To take one out, delete its line and its folder. */
export const features: FeatureSet<Thread> = new FeatureSet([
  agents,
  clock,
  mcpTools,
  hooks,
  goals,
  guardian,
  realtime,
  telemetry,
]);
