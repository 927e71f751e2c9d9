import { isSwitchedOff } from "../config/feature-flags.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import { argumentsOf, commandIn, type HookView } from "./hook-view.ts";
import { permissionsSchema } from "./request-permissions.ts";
import type { Tool } from "./tool.ts";

const spec: ToolSpec = {
  type: "function",
  name: "exec_command",
  description:
    "Runs a shell command. Returns its output when it ends, or after yield_time_ms with a session id by which write_stdin goes on with it.",
  strict: false,
  parameters: {
    type: "object",
    properties: {
      cmd: { type: "string", description: "The shell command." },
      justification: {
        type: "string",
        description: "With require_escalated: one question to the user that says why the command needs it.",
      },
      login: { type: "boolean", description: "Whether the shell reads the user's profile first. Default true." },
      max_output_tokens: { type: "number", description: "Longer output is cut in the middle." },
      prefix_rule: {
        type: "array",
        items: { type: "string" },
        description: "With require_escalated: words that similar commands begin with, to be allowed from now on.",
      },
      sandbox_permissions: {
        type: "string",
        enum: ["use_default", "require_escalated"],
        description: "require_escalated asks to run outside of the sandbox. Default use_default.",
      },
      shell: { type: "string", description: "The shell to use. Default: the user's." },
      tty: {
        type: "boolean",
        description: "Run on a terminal, which also keeps stdin open for write_stdin. Default false: pipes, no stdin.",
      },
      workdir: { type: "string", description: "The folder to run in. Default: the working folder of the turn." },
      yield_time_ms: { type: "number", description: "How long to wait for the end. Default 10000, from 250 to 30000." },
    },
    required: ["cmd"],
    additionalProperties: false,
  },
};

/** Hooks know the shell as `Bash`, with a command and its output. */
const shellView: HookView = {
  describe(call) {
    const { cmd } = argumentsOf(call) as { cmd?: unknown };
    return typeof cmd === "string" ? { name: "Bash", names: ["Bash"], input: { command: cmd } } : undefined;
  },
  withInput(call, input) {
    const cmd = commandIn(input);
    return cmd === undefined ? call : { ...call, arguments: JSON.stringify({ ...argumentsOf(call), cmd }) };
  },
  answer(output) {
    if (typeof output !== "string") return undefined;
    const start = output.indexOf("\nOutput:\n");
    // A running command, and a patch applied through the shell, have no output of their own.
    return start < 0 || !/^Process exited with code/m.test(output.slice(0, start))
      ? undefined
      : output.slice(start + 9);
  },
};

/**
 * `exec_command`: runs a command in a shell, on pipes or on a terminal.
 * @param mayAskMore True when a call may ask to widen its sandbox.
 */
export function execCommandTool(run: Tool["run"], mayAskMore: boolean): Tool {
  return {
    spec: mayAskMore ? widerSpec() : spec,
    name: "exec_command",
    namespace: null,
    essential: true,
    isOn: ({ raw }) => !isSwitchedOff(raw, "shell_tool"),
    needs: "commands",
    readOnly: true,
    hookView: shellView,
    run,
  };
}

/** The spec for calls that may ask to widen their sandbox. */
function widerSpec(): ToolSpec {
  const parameters = spec.parameters as { readonly properties: object };
  const properties = {
    ...parameters.properties,
    additional_permissions: permissionsSchema,
    sandbox_permissions: {
      type: "string",
      enum: ["use_default", "with_additional_permissions", "require_escalated"],
      description:
        "with_additional_permissions asks for what additional_permissions names, within the sandbox; require_escalated asks to run outside of it. Default use_default.",
    },
  };
  return { ...spec, parameters: { ...parameters, properties } };
}
