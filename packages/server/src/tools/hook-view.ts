import type { FunctionCallOutputBody } from "@quire/protocol";
import type { ToolCall } from "../record/tool-call.ts";

interface DescribedCall {
  readonly name: string;
  /** All names that matchers may use for it. */
  readonly names: readonly string[];
  readonly input: unknown;
}

/** The form in which hooks see a tool's calls. */
export interface HookView {
  /** `undefined` for a call that hooks do not see. */
  describe(call: ToolCall): DescribedCall | undefined;
  /** The call with the arguments that a hook has replaced. */
  withInput(call: ToolCall, input: unknown): ToolCall;
  /** The tool's response; `undefined` when there is none yet. */
  answer(output: FunctionCallOutputBody): unknown;
}

/** By its name and its arguments: how hooks see most tools. */
export const plainView: HookView = {
  describe(call) {
    const name = call.namespace?.startsWith("mcp__") ? `${call.namespace}${call.name}` : call.name;
    return { name, names: [name], input: call.kind === "custom" ? { input: call.arguments } : argumentsOf(call) };
  },
  withInput: (call, input) => ({ ...call, arguments: JSON.stringify(input) }),
  answer: (output) => output,
};

/** Hooks do not hear of it. */
export const hiddenView: HookView = { ...plainView, describe: () => undefined };

/** The command that a hook has put in the place of another, if it is one. */
export function commandIn(input: unknown): string | undefined {
  const { command } = (typeof input === "object" && input !== null ? input : {}) as { command?: unknown };
  return typeof command === "string" ? command : undefined;
}

/** The arguments of a call; none where they cannot be read. */
export function argumentsOf({ arguments: json }: ToolCall): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
