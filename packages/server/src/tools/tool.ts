import type { FunctionCallOutputBody } from "@quire/protocol";
import type { ToolContext } from "../approval/tool-context.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import type { ToolCall } from "../record/tool-call.ts";
import type { HookView } from "./hook-view.ts";

/** Something the model can call, with all that the server has to know of it. What belongs to one call is in its context. */
export interface Tool {
  /** What the model is told; `undefined` where the tool is understood but not offered. */
  readonly spec: ToolSpec | undefined;
  /** What a model that is known is told instead: it is used to more. */
  readonly knownSpec?: ToolSpec;
  readonly name: string;
  readonly namespace: string | null;
  /** What it needs where the thread works: this machine's files, or an environment for commands. Default: nothing. */
  readonly needs?: "files" | "commands";
  /** Whether it can be left to one who only looks, such as a reviewer. */
  readonly looks?: true;
  /** How hooks see its calls. Default: by its name and its arguments. */
  readonly hookView?: HookView;
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
