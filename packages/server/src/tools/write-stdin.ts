import { isSwitchedOff } from "../config/feature-flags.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import { hiddenView } from "./hook-view.ts";
import type { Tool } from "./tool.ts";

const spec: ToolSpec = {
  type: "function",
  name: "write_stdin",
  description: "Writes to a command that exec_command left running, and returns what it has said since.",
  strict: false,
  parameters: {
    type: "object",
    properties: {
      chars: {
        type: "string",
        description: "What to write. Empty to only wait for output. Needs a command with tty; \\u0003 interrupts any.",
      },
      max_output_tokens: { type: "number", description: "Longer output is cut in the middle." },
      session_id: { type: "number", description: "The session id that exec_command gave." },
      yield_time_ms: {
        type: "number",
        description: "How long to wait for output. Default and least 250; with empty chars at least 5000.",
      },
    },
    required: ["session_id"],
    additionalProperties: false,
  },
};

/** `write_stdin`: continues with a command that outlived its call. */
export function writeStdinTool(run: Tool["run"]): Tool {
  return {
    spec,
    name: "write_stdin",
    namespace: null,
    essential: true,
    isOn: ({ raw }) => !isSwitchedOff(raw, "shell_tool"),
    needs: "commands",
    readOnly: true,
    // Input to a command that runs already is no call of its own.
    hookView: hiddenView,
    run,
  };
}
