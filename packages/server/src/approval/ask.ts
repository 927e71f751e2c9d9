import type { ServerRequests } from "@quire/protocol";
import type { ReviewedAction, Reviewer } from "./reviewer.ts";
import type { ToolContext } from "./tool-context.ts";

type Method =
  | "item/commandExecution/requestApproval"
  | "item/fileChange/requestApproval"
  | "item/permissions/requestApproval";

/** An answer, or why there is none. */
export type Answer<M extends Method> =
  | { readonly kind: "answer"; readonly result: ServerRequests[M]["result"] }
  | { readonly kind: "failed" }
  | { readonly kind: "interrupted" };

/** Asks the user. Never rejects. */
export async function askUser<M extends Method>(
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

/** A denial, and work for after its item has ended. */
interface Denial {
  /** For the model. */
  readonly reason: string;
  readonly afterwards: () => void;
}

/** The decision of a reviewer in the user's place. */
export type Reviewed = { readonly approved: true } | ({ readonly approved: false } & Denial);

/** Asks the reviewer in the user's place; `undefined` when the user has to be asked. Never rejects. */
export function askGuardian(context: ToolContext, action: () => ReviewedAction): Promise<Reviewed> | undefined {
  const { guardian } = context.approvals;
  if (isUserAsked(context) || guardian === undefined) return undefined;
  return review(guardian(), action(), context);
}

/** Marks the thread as waiting for its user, if the user is asked. */
export function holdForUser(context: ToolContext): () => void {
  return isUserAsked(context) ? context.hold("waitingOnApproval") : () => undefined;
}

function isUserAsked({ settings, approvals }: ToolContext): boolean {
  return settings.approvalsReviewer === "user" || approvals.guardian === undefined;
}

async function review(opening: Promise<Reviewer>, action: ReviewedAction, context: ToolContext): Promise<Reviewed> {
  const guardian = await opening;
  const verdict = await guardian.review(action, context);
  const afterwards = () => guardian.count(verdict, context);
  if (!verdict.approved) return { ...verdict, afterwards };
  afterwards();
  return { approved: true };
}
