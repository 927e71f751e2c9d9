import type { FunctionCallOutputBody, TurnPlanStep } from "@quire/protocol";
import { type ToolContext, ToolFailure } from "../approval/tool-context.ts";
import { offlineModel } from "../config/catalogue.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import type { ToolCall } from "../record/tool-call.ts";
import { Arguments, badArguments } from "./arguments.ts";
import type { Tool } from "./tool.ts";
import { isToolOff, isToolOn } from "./tool-switch.ts";

const statuses = { pending: "pending", in_progress: "inProgress", completed: "completed" } as const;

const spec: ToolSpec = {
  type: "function",
  name: "update_plan",
  description: "Shows the user your plan of steps and how far you are. At most one step is in progress at a time.",
  strict: false,
  parameters: {
    type: "object",
    properties: {
      explanation: { type: "string", description: "Why the plan changed." },
      plan: {
        type: "array",
        description: "All steps, in order.",
        items: {
          type: "object",
          properties: {
            status: { type: "string", enum: Object.keys(statuses) },
            step: { type: "string", description: "What is to be done, in a few words." },
          },
          required: ["step", "status"],
          additionalProperties: false,
        },
      },
    },
    required: ["plan"],
    additionalProperties: false,
  },
};

/** `update_plan`: shows the model's plan to clients. */
export const updatePlanTool: Tool = {
  spec,
  name: "update_plan",
  namespace: null,
  // Codex offers plans only on request; the offline model demonstrates them.
  isOn: ({ raw, model }) => isToolOn(raw, "update_plan") || (model === offlineModel && !isToolOff(raw, "update_plan")),
  run,
};

async function run(call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
  if (context.settings.collaborationMode?.mode === "plan") {
    throw new ToolFailure("update_plan is a TODO/checklist tool and is not allowed in Plan mode");
  }
  const args = new Arguments(call);
  const plan = args.requiredList("plan").map(readStep);
  context.notify("turn/plan/updated", { explanation: args.text("explanation") ?? null, plan });
  return "Plan updated";
}

function readStep({ step, status }: Readonly<Record<string, unknown>>): TurnPlanStep {
  if (typeof step !== "string") throw badArguments(step === undefined ? "missing field `step`" : "`step` is no string");
  if (status === undefined) throw badArguments("missing field `status`");
  const known = (Object.keys(statuses) as (keyof typeof statuses)[]).find((name) => name === status);
  if (known) return { step, status: statuses[known] };
  throw badArguments(
    `unknown variant \`${String(status)}\`, expected one of \`pending\`, \`in_progress\`, \`completed\``,
  );
}
