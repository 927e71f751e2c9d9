import { nonInteractiveAnswer, policies, type QuestionHandlers } from "@quire/client";
import { oneLine } from "./describe.ts";
import type { SessionObserver } from "./observer.ts";
import { SessionError } from "./session-error.ts";

/** What the policy needs of its session. */
export interface QuestionPolicyOptions {
  /** As in the workflow. Only `never` has approvals given by this side. */
  readonly approvalPolicy: unknown;
  readonly observer: SessionObserver;
  /** Ends the run: a person is needed. */
  needPerson(error: SessionError): void;
}

/**
 * How questions of the app-server are answered when nobody is there. Every question gets an answer at once, so that no
 * turn ever waits for one:
 *
 * - approvals: given for the session where `approval_policy` is `never`; else refused, and the run ends;
 * - questions of the model: the option that approves, under `never`; else a text that says that nobody is there;
 * - forms and pages of MCP servers: accepted under `never` where nothing has to be filled in; else declined, and the run
 *   ends.
 */
export function questionPolicy({ approvalPolicy, observer, needPerson }: QuestionPolicyOptions): QuestionHandlers {
  const auto = approvalPolicy === "never";
  return {
    onApproval(request) {
      const what = oneLine(
        `${request.kind}: ${"command" in request ? (request.command ?? "") : (request.reason ?? "")}`,
      );
      if (auto) {
        observer.event("approval_auto_approved", what, request.method);
        return request.acceptForSession();
      }
      observer.event("approval_required", what, request.method);
      needPerson(
        new SessionError(
          "approval_required",
          `The agent asks for an approval (${what}): do it yourself, or set codex.approval_policy to never`,
          {
            payload: request.params,
          },
        ),
      );
      return request.cancel();
    },
    onUserInput(request) {
      const answers = request.questions.map(({ id, question, options }) => {
        const approving = auto ? approvingLabel((options ?? []).map(({ label }) => label)) : undefined;
        const kind = approving === undefined ? "turn_input_required" : "approval_auto_approved";
        observer.event(
          kind,
          oneLine(`${question ?? id}: answered "${approving ?? nonInteractiveAnswer}"`),
          request.method,
        );
        return [id, approving ?? nonInteractiveAnswer] as const;
      });
      return request.answer(Object.fromEntries(answers));
    },
    onElicitation(request) {
      const answer = auto ? policies.acceptAll.onElicitation?.(request) : undefined;
      const accepted = answer !== undefined && (answer as { result?: { action?: string } }).result?.action === "accept";
      if (accepted) {
        observer.event("approval_auto_approved", oneLine(`${request.serverName}: ${request.message}`), request.method);
        return answer;
      }
      observer.event("turn_input_required", oneLine(`${request.serverName}: ${request.message}`), request.method);
      const code = request.approvalKind === undefined ? "turn_input_required" : "approval_required";
      needPerson(
        new SessionError(code, `The MCP server ${request.serverName} asks: ${oneLine(request.message, 300)}`, {
          payload: request.params,
        }),
      );
      return request.decline();
    },
  };
}

function approvingLabel(labels: readonly string[]): string | undefined {
  const approving = labels.filter((label) => /^(approve|allow)\b/i.test(label));
  return approving.find((label) => /\bsession\b/i.test(label)) ?? approving[0];
}
