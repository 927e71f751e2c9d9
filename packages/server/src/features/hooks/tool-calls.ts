import type { FunctionCallOutputBody } from "@quire/protocol";
import type { ToolCall } from "../../record/tool-call.ts";

/** A call as hooks are told of it. */
interface DescribedCall {
  readonly name: string;
  /** All names that matchers may use for it. */
  readonly names: readonly string[];
  readonly input: unknown;
}

/** Input to a command that runs already is no call of its own. */
const untold: ReadonlySet<string> = new Set(["write_stdin"]);

/** A call in the words of hooks: the shell is `Bash`. `undefined` for one that hooks do not hear of. */
export function describeCall(call: ToolCall): DescribedCall | undefined {
  if (call.namespace === null && untold.has(call.name)) return undefined;
  if (call.namespace === null && call.name === "exec_command") {
    const { cmd } = argumentsOf(call) as { cmd?: unknown };
    return typeof cmd === "string" ? { name: "Bash", names: ["Bash"], input: { command: cmd } } : undefined;
  }
  if (call.namespace === null && call.name === "apply_patch") {
    return { name: "apply_patch", names: ["apply_patch", "Write", "Edit"], input: { command: call.arguments } };
  }
  const name = call.namespace?.startsWith("mcp__") ? `${call.namespace}${call.name}` : call.name;
  return { name, names: [name], input: call.kind === "custom" ? { input: call.arguments } : argumentsOf(call) };
}

/** The call with the arguments that a hook has put in place of its own. */
export function withInput(call: ToolCall, input: unknown): ToolCall {
  const { command } = (typeof input === "object" && input !== null ? input : {}) as { command?: unknown };
  if (call.namespace === null && call.name === "exec_command") {
    if (typeof command !== "string") return call;
    return { ...call, arguments: JSON.stringify({ ...argumentsOf(call), cmd: command }) };
  }
  if (call.namespace === null && call.name === "apply_patch") {
    return typeof command === "string" ? { ...call, arguments: command } : call;
  }
  return { ...call, arguments: JSON.stringify(input) };
}

/** What a tool has answered, as hooks are told; `undefined` where there is nothing to tell yet. */
export function afterTool(call: ToolCall, output: FunctionCallOutputBody): unknown {
  if (call.namespace !== null || call.name !== "exec_command") return output;
  if (typeof output !== "string") return undefined;
  const start = output.indexOf("\nOutput:\n");
  // Neither a command that goes on nor a patch that went through the shell has output of its own.
  return start < 0 || !/^Process exited with code/m.test(output.slice(0, start)) ? undefined : output.slice(start + 9);
}

function argumentsOf({ arguments: json }: ToolCall): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
