import type { ApprovalRequest } from "@quire/client";
import type { ApprovalDecision } from "@quire/client/questions";
import { diffTexts } from "./diff-texts.ts";
import type { ToolCall, ToolContent } from "./protocol.ts";

/** The answers that an editor offers, by the decision that they stand for. */
export const permissionOptions: readonly { optionId: ApprovalDecision; name: string; kind: string }[] = [
  { optionId: "accept", name: "Allow", kind: "allow_once" },
  { optionId: "acceptForSession", name: "Allow for this session", kind: "allow_always" },
  { optionId: "decline", name: "Decline", kind: "reject_once" },
];

/** An approval as the tool call that waits for it, with everything that is asked. */
export function askedCall(request: ApprovalRequest): ToolCall {
  const reason: ToolContent[] = request.reason === undefined ? [] : [text(request.reason)];
  const common = { toolCallId: request.itemId, status: "pending" } as const;
  if (request.kind === "fileChange") {
    const locations = request.changes.map(({ path }) => ({ path }));
    const title = `Edit ${locations.map(({ path }) => path).join(", ")}`;
    return { ...common, title, kind: "edit", locations, content: [...reason, ...diffTexts(request.changes)] };
  }
  if (request.kind === "command") {
    const { input, script, command, cwd, network, additionalPermissions } = request;
    const title = input ? `Type into ${input.program ?? "a command"}` : (script ?? command ?? "Run a command");
    const typed = input ? [text(input.text ?? "(the server does not say what)")] : [];
    const more = [
      network && `Network: ${network.host}`,
      additionalPermissions && JSON.stringify(additionalPermissions),
    ];
    const content = [...reason, ...typed, ...more.flatMap((each) => (each ? [text(each)] : []))];
    return { ...common, title, kind: "execute", content, rawInput: { command, cwd } };
  }
  return { ...common, title: "More permissions", kind: "other", content: reason, rawInput: request.params };
}

/** The decision of an editor. No answer, and one that is none of the options, is a no. */
export function decisionOf(reply: unknown): ApprovalDecision {
  const { outcome } = (reply ?? {}) as { readonly outcome?: { readonly outcome?: string; readonly optionId?: string } };
  if (outcome?.outcome === "cancelled") return "cancel";
  return permissionOptions.find(({ optionId }) => optionId === outcome?.optionId)?.optionId ?? "decline";
}

const text = (value: string): ToolContent => ({ type: "content", content: { type: "text", text: value } });
