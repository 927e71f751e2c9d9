import type { FunctionCallOutputBody } from "@quire/protocol";
import { askGuardian, askUser } from "../approval/ask.ts";
import {
  isEmpty,
  noPermissions,
  type Permissions,
  readGranted,
  readRequested,
  toModelFormat,
  toProfile,
} from "../approval/permissions.ts";
import type { Policy } from "../approval/policy.ts";
import { type ToolContext, ToolFailure } from "../approval/tool-context.ts";
import { isSwitchedOn } from "../config/feature-flags.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import type { ToolCall } from "../record/tool-call.ts";
import { Arguments, badArguments } from "./arguments.ts";
import type { Tool } from "./tool.ts";

const paths = (description: string) => ({ type: "array", items: { type: "string" }, description });

/** The schema of requested access to files and the network. */
export const permissionsSchema: Readonly<Record<string, unknown>> = {
  type: "object",
  description: "The access that is needed.",
  properties: {
    file_system: {
      type: "object",
      description: "Access to files.",
      properties: {
        read: paths("Absolute paths to read."),
        write: paths("Absolute paths to write."),
      },
      additionalProperties: false,
    },
    network: {
      type: "object",
      description: "Access to the network.",
      properties: { enabled: { type: "boolean", description: "Whether it is needed." } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

const spec: ToolSpec = {
  type: "function",
  name: "request_permissions",
  description:
    "Asks the user for access to files or the network beyond the sandbox, and waits. The answer says what was granted, which may be less; it holds for the commands of this turn, or of the whole session if the user says so.",
  strict: false,
  parameters: {
    type: "object",
    properties: {
      environment_id: { type: "string", description: "Where: an environment of <environment_context>. Leave it out." },
      permissions: permissionsSchema,
      reason: { type: "string", description: "Why, in one short sentence." },
    },
    required: ["permissions"],
    additionalProperties: false,
  },
};

/** `request_permissions`: asks the user to widen the sandbox for a while. */
export const requestPermissionsTool: Tool = {
  spec,
  name: "request_permissions",
  namespace: null,
  isOn: ({ raw }) => isSwitchedOn(raw, "request_permissions_tool"),
  run,
};

async function run(call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
  const args = new Arguments(call);
  const reason = args.text("reason") ?? null;
  const requested = readArgument(args.value("permissions"), context.settings.cwd);
  if (isEmpty(requested)) throw new ToolFailure("request_permissions requires at least one permission");
  const { granted, scope } = mayAskFor(context.settings.approvalPolicy)
    ? await ask(call.callId, { requested, reason }, context)
    : { granted: noPermissions, scope: "turn" as const };
  context.approvals.grants.add(granted, scope === "session" ? scope : { turnId: context.turnId });
  return JSON.stringify({ permissions: toModelFormat(granted), scope });
}

/** Reads permissions that a model asks for. */
export function readArgument(value: unknown, cwd: string): Permissions {
  if (value === undefined) throw badArguments("missing field `permissions`");
  try {
    return readRequested(value, cwd);
  } catch (error) {
    throw badArguments((error as Error).message);
  }
}

interface Granted {
  readonly granted: Permissions;
  readonly scope: "turn" | "session";
}

async function ask(
  itemId: string,
  { requested, reason }: { readonly requested: Permissions; readonly reason: string | null },
  context: ToolContext,
): Promise<Granted> {
  const review = await askGuardian(context, () => ({
    itemId,
    shown: { type: "requestPermissions", reason, permissions: toProfile(requested) },
    planned: { tool: "request_permissions", reason, permissions: toModelFormat(requested) },
  }));
  if (review) {
    if (!review.approved) review.afterwards();
    context.signal.throwIfAborted();
    return { granted: review.approved ? requested : noPermissions, scope: "turn" };
  }
  const release = context.hold("waitingOnApproval");
  const answer = await askUser(context, "item/permissions/requestApproval", {
    itemId,
    environmentId: "local",
    startedAtMs: Date.now(),
    cwd: context.settings.cwd,
    reason,
    permissions: toProfile(requested),
  });
  release();
  context.signal.throwIfAborted();
  if (answer.kind !== "answer") return { granted: noPermissions, scope: "turn" };
  const granted = readGranted(answer.result?.permissions, requested);
  return { granted, scope: !isEmpty(granted) && answer.result?.scope === "session" ? "session" : "turn" };
}

function mayAskFor(policy: Policy): boolean {
  return policy !== "never" && (typeof policy !== "object" || policy.granular.request_permissions === true);
}
