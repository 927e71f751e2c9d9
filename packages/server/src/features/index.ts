import type { ThreadExtension } from "../thread/extension.ts";
import type { Thread } from "../thread/thread.ts";
import { agents } from "./agents/index.ts";
import { clock } from "./clock/index.ts";
import { goals } from "./goals/index.ts";
import { guardian } from "./guardian/index.ts";
import { hooksOf } from "./hooks/index.ts";
import { mcpTools } from "./mcp/index.ts";
import { realtime } from "./realtime/index.ts";
import { telemetry } from "./telemetry/index.ts";

/** The features of a thread. To take one out, delete its line and its folder. */
const features: readonly ((thread: Thread) => ThreadExtension | undefined)[] = [
  agents,
  clock,
  mcpTools,
  hooksOf,
  goals,
  guardian,
  realtime,
  telemetry,
];

/** What the features add to a thread. */
export const extend = (thread: Thread): readonly ThreadExtension[] => features.flatMap((each) => each(thread) ?? []);
