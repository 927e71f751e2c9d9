import type { ApprovalRequest, QuestionHandlers } from "@quire/client";
import { nonInteractiveAnswer } from "@quire/client/questions";
import type { AutoApproval } from "../workflow/auto-approve.ts";
import { oneLine } from "./describe.ts";
import { approvesMcpCall, mcpApprovalAnswer } from "./mcp-approval.ts";
import type { SessionObserver } from "./observer.ts";
import { SessionError } from "./session-error.ts";

/** Options of {@link questionPolicy}. */
export interface QuestionPolicyOptions {
  /** Actions that the orchestrator may approve without a person: `codex.auto_approve`. */
  readonly autoApprove: readonly AutoApproval[];
  readonly observer: SessionObserver;
  /** Ends the run: a person is needed. */
  needPerson(error: SessionError): void;
}

const kinds = { command: "commands", fileChange: "file_changes", permissions: "permissions" } as const;

/**
 * Answers the app-server's questions when nobody is there. Every question gets an answer at once, so no turn ever waits
 * for one:
 *
 * - an approval that `codex.auto_approve` names is given, this once;
 * - everything else is refused, and the run ends: a person is needed.
 *
 * The text and the options of a question come from a model that has read a stranger's issue. So no label of an option
 * is ever taken for consent: an approval counts as one by the mark that the app-server itself puts on it.
 */
export function questionPolicy({ autoApprove, observer, needPerson }: QuestionPolicyOptions): QuestionHandlers {
  const approves = new Set(autoApprove);
  const approved = (what: string, method: string) => observer.event("approval_auto_approved", shown(what), method);
  const refused = (code: "approval_required" | "turn_input_required", what: string, request: Asked) => {
    observer.event(code, shown(what), request.method);
    const asks = code === "approval_required" ? "needs an approval" : "has a question";
    const remedy =
      code === "approval_required" ? "do it yourself, or name its kind in codex.auto_approve" : "answer in the issue";
    needPerson(
      new SessionError(code, `The agent ${asks} (${shown(what)}): ${remedy}, then retry`, { payload: request.params }),
    );
  };
  return {
    onApproval(request) {
      const what = described(request);
      if (approves.has(kinds[request.kind])) {
        approved(what, request.method);
        return request.accept();
      }
      refused("approval_required", what, request);
      return request.cancel();
    },
    onUserInput(request) {
      const [first] = request.questions;
      const what = request.questions.map(({ id, question }) => question ?? id).join(" / ");
      const answer = approves.has("mcp_tools") ? mcpApprovalAnswer(request) : undefined;
      if (answer !== undefined && first !== undefined) {
        approved(`${what}: answered "${answer}"`, request.method);
        return request.answer({ [first.id]: answer });
      }
      refused("turn_input_required", what, request);
      return request.answer(Object.fromEntries(request.questions.map(({ id }) => [id, nonInteractiveAnswer])));
    },
    onElicitation(request) {
      const what = `${request.serverName}: ${request.message}`;
      const isApproval = approvesMcpCall(request);
      if (isApproval && approves.has("mcp_tools")) {
        approved(what, request.method);
        return request.accept({});
      }
      refused(isApproval ? "approval_required" : "turn_input_required", what, request);
      return request.decline();
    },
  };
}

interface Asked {
  readonly method: string;
  readonly params: unknown;
}

function described(request: ApprovalRequest): string {
  return `${request.kind}: ${"command" in request ? (request.command ?? "") : (request.reason ?? "")}`;
}

const shown = (text: string) => oneLine(text, 300);
