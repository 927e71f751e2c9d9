import type { FunctionCallOutputBody } from "@quire/protocol";
import type { ToolContext } from "../approval/tool-context.ts";
import type { EffectiveConfig } from "../config/effective-config.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import type { ToolCall } from "../record/tool-call.ts";
import type { HookView } from "./hook-view.ts";

/** A tool that the model can call. State of one call is in its context; the tool itself may belong to one thread. */
export interface Tool {
  /** `undefined` when the tool is accepted but not offered. */
  readonly spec: ToolSpec | undefined;
  /** The spec for models in the catalogue, which know more. */
  readonly knownSpec?: ToolSpec;
  readonly name: string;
  readonly namespace: string | null;
  /** False where the configuration leaves the tool out. Default: it is always there. */
  readonly isOn?: (config: EffectiveConfig) => boolean;
  /** Requirements on the environment: local files, or commands. Default: none. */
  readonly needs?: "files" | "commands";
  /** True when models with little context are offered it too. */
  readonly essential?: true;
  /** True when it only reads, and so may serve a reviewer. */
  readonly readOnly?: true;
  /** Default: by name and arguments. */
  readonly hookView?: HookView;
  /** Returns the output for the model. An error becomes a failed output. Must settle soon after `signal` aborts. */
  run(call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody>;
}

/** Tools that the model is offered as one namespace. */
export interface ToolGroup {
  readonly spec: ToolSpec;
  readonly tools: readonly Tool[];
  /** True when models that can search for tools have to search for these. */
  readonly deferred?: boolean;
  /** True when models with little context are not offered it. */
  readonly dispensable?: true;
}
