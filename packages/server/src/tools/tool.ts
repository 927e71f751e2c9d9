import type { FunctionCallOutputBody } from "@quire/protocol";
import type { ToolContext } from "../approval/tool-context.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import type { ToolCall } from "../record/tool-call.ts";

/** Something the model can call. One object serves all threads; what belongs to one call is in its context. */
export interface Tool {
  /** What the model is told; `undefined` where the tool is understood but not offered. */
  readonly spec: ToolSpec | undefined;
  readonly name: string;
  readonly namespace: string | null;
  /** Gives what the model is told. What it throws is told too, as a failure; it must settle soon after `signal` aborts. */
  run(call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody>;
}

/** Tools that the model is offered as one namespace. */
export interface ToolGroup {
  /** The namespace with all that is in it. */
  readonly spec: ToolSpec;
  readonly tools: readonly Tool[];
  /** Whether a model that can search for tools has to look for these. */
  readonly deferred?: boolean;
}
