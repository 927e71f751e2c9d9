import type {
  ApplyPatchApprovalParams,
  CommandExecutionRequestApprovalParams,
  DynamicToolCallParams,
  ExecCommandApprovalParams,
  FileChangeRequestApprovalParams,
  McpServerElicitationRequestParams,
  PermissionsRequestApprovalParams,
  ToolRequestUserInputParams,
} from "@quire/protocol";
import type { PendingRequest } from "../state/model.ts";

/** A question of the server with the params that its method has. */
export type Asked =
  | { readonly kind: "command"; readonly params: CommandExecutionRequestApprovalParams }
  | { readonly kind: "fileChange"; readonly params: FileChangeRequestApprovalParams }
  | { readonly kind: "permissions"; readonly params: PermissionsRequestApprovalParams }
  | { readonly kind: "legacyCommand"; readonly params: ExecCommandApprovalParams }
  | { readonly kind: "legacyPatch"; readonly params: ApplyPatchApprovalParams }
  | { readonly kind: "questions"; readonly params: ToolRequestUserInputParams }
  | { readonly kind: "elicitation"; readonly params: McpServerElicitationRequestParams }
  | { readonly kind: "toolApproval"; readonly params: FormElicitation }
  | { readonly kind: "toolCall"; readonly params: DynamicToolCallParams }
  | { readonly kind: "unknown"; readonly params: unknown };

/** An elicitation with a form. */
type FormElicitation = Extract<McpServerElicitationRequestParams, { mode: "form" }>;

const kinds = {
  "item/commandExecution/requestApproval": "command",
  "item/fileChange/requestApproval": "fileChange",
  "item/permissions/requestApproval": "permissions",
  execCommandApproval: "legacyCommand",
  applyPatchApproval: "legacyPatch",
  "item/tool/requestUserInput": "questions",
  "mcpServer/elicitation/request": "elicitation",
  "item/tool/call": "toolCall",
} as const;

/** Tells by the method what is asked. An elicitation that only wants a tool approved is one of its own kind. */
export function askedOf({ method, params }: Pick<PendingRequest, "method" | "params">): Asked {
  if (!Object.hasOwn(kinds, method) || typeof params !== "object" || params === null) {
    return { kind: "unknown", params };
  }
  const kind = kinds[method as keyof typeof kinds];
  if (kind === "elicitation" && isToolApproval(params as McpServerElicitationRequestParams)) {
    return { kind: "toolApproval", params: params as FormElicitation };
  }
  return { kind, params } as Asked;
}

/** Metadata of an elicitation, as an object. */
export function metaOf(params: McpServerElicitationRequestParams): Readonly<Record<string, unknown>> {
  return typeof params._meta === "object" && params._meta !== null ? (params._meta as Record<string, unknown>) : {};
}

function isToolApproval(params: McpServerElicitationRequestParams): boolean {
  if (params.mode !== "form" || typeof metaOf(params).codex_approval_kind !== "string") return false;
  return Object.keys(params.requestedSchema?.properties ?? {}).length === 0;
}
