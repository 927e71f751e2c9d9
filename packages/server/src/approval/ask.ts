import type { ServerRequests } from "@quire/protocol";
import type { ToolContext } from "../tools/tool.ts";

type Method =
  | "item/commandExecution/requestApproval"
  | "item/fileChange/requestApproval"
  | "item/permissions/requestApproval";

/** An answer, or why there is none. */
export type Answer<M extends Method> =
  | { readonly kind: "answer"; readonly result: ServerRequests[M]["result"] }
  /** The client replied with an error. */
  | { readonly kind: "failed" }
  /** The turn was interrupted. */
  | { readonly kind: "interrupted" };

/**
 * Asks whoever reviews approvals. That is the user, whatever `approvalsReviewer` says: another reviewer would take its
 * place here. Never rejects.
 */
export async function askReviewer<M extends Method>(
  context: ToolContext,
  method: M,
  params: Omit<ServerRequests[M]["params"], "threadId" | "turnId">,
): Promise<Answer<M>> {
  try {
    return { kind: "answer", result: await context.ask(method, params) };
  } catch {
    return { kind: context.signal.aborted ? "interrupted" : "failed" };
  }
}
