import type { ThreadItem } from "@quire/protocol";
import { ChevronLeft, ChevronRight, CircleHelp } from "lucide-react";
import { useId, useState } from "react";
import { messageOf } from "../state/message-of.ts";
import type { PendingRequest } from "../state/model.ts";
import { Badge, IconButton, Notice, Visible } from "../ui/index.ts";
import { approvalWords, questionWords } from "../words/words.ts";
import "./approvals.css";
import { choicesOf } from "./choices.ts";
import { DeclineForm } from "./decline-form.tsx";
import { describe } from "./describe.ts";
import { RequestBody } from "./request-body.tsx";
import { RequestForm } from "./request-form.tsx";
import { useDecisionKeys } from "./use-decision-keys.ts";
import { useSettled } from "./use-settled.ts";

interface ApprovalBarProps {
  /** Questions of the thread in view; those that are answered are left out here. */
  readonly requests: readonly PendingRequest[];
  /** Finds the item that a question is about. */
  readonly itemOf: (itemId: string) => ThreadItem | undefined;
  /** Version of the server, where it is known. */
  readonly serverVersion: string | null;
  /** The user's home folder, where it is known. */
  readonly home?: string | null | undefined;
  /** Name of the sub-agent that asks; null for the thread in view itself. */
  readonly agentOf?: ((threadId: string) => string | null) | undefined;
  readonly onAnswer: (requestId: string, result: unknown, label: string) => Promise<void>;
  readonly onRefuse: (requestId: string, message: string) => Promise<void>;
  /** Tells the agent of a thread why its question was declined. */
  readonly onExplain?: ((threadId: string, reason: string) => Promise<void>) | undefined;
}

/** The question to be answered next, at the bottom of the thread. Nothing where none waits. */
export function ApprovalBar({ requests, ...props }: ApprovalBarProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const waiting = requests.filter((request) => request.answered === null);
  const at = Math.max(
    0,
    waiting.findIndex((request) => request.id === chosen),
  );
  const request = waiting[at];
  return (
    <div className="approvals-live" aria-live="polite">
      {request !== undefined && (
        <Question
          key={request.id}
          {...props}
          request={request}
          position={waiting.length > 1 ? `${at + 1} of ${waiting.length}` : null}
          onStep={(step) => setChosen(waiting[(at + step + waiting.length) % waiting.length]?.id ?? null)}
        />
      )}
    </div>
  );
}

interface QuestionProps extends Omit<ApprovalBarProps, "requests"> {
  readonly request: PendingRequest;
  readonly position: string | null;
  readonly onStep: (step: number) => void;
}

function Question({
  request,
  position,
  onStep,
  itemOf,
  agentOf,
  onAnswer,
  onRefuse,
  onExplain,
  ...known
}: QuestionProps) {
  const { serverVersion, home = null } = known;
  const [isSending, setSending] = useState(false);
  const busy = !useSettled() || isSending;
  const [error, setError] = useState<string | null>(null);
  const titleId = useId();
  const agent = agentOf?.(request.threadId) ?? null;
  const about = describe(request, request.itemId === null ? undefined : itemOf(request.itemId));

  const attempt = (action: Promise<void>): void => {
    setSending(true);
    setError(null);
    // Once it is answered this is gone; only a failure leaves it here.
    action.catch((reason: unknown) => {
      setSending(false);
      setError(messageOf(reason));
    });
  };
  const answer = (result: unknown, label: string): void => {
    if (!busy) attempt(onAnswer(request.id, result, label));
  };
  const choices = choicesOf(request, serverVersion);
  const decline = choices.find(({ id }) => id === "decline");
  const declineBecause = (reason: string): void => {
    if (decline === undefined || busy) return;
    attempt(
      onAnswer(request.id, decline.result, approvalWords.declined(reason)).then(() =>
        onExplain?.(request.threadId, reason),
      ),
    );
  };
  useDecisionKeys(choices, (choice) => answer(choice.result, choice.answered));

  return (
    <section className="approvals-bar" aria-labelledby={titleId}>
      <header className="approvals-head">
        <CircleHelp size={16} aria-hidden="true" />
        <h2 id={titleId}>
          <Visible text={about.title} oneLine />
        </h2>
        {agent !== null && (
          <Badge>
            {questionWords.agent} <Visible text={agent} oneLine />
          </Badge>
        )}
        {position !== null && (
          <span className="approvals-steps">
            <IconButton
              label={questionWords.previousQuestion}
              icon={<ChevronLeft size={16} />}
              onClick={() => onStep(-1)}
            />
            {position}
            <IconButton
              label={questionWords.nextQuestion}
              icon={<ChevronRight size={16} />}
              onClick={() => onStep(1)}
            />
          </span>
        )}
      </header>
      <div className="approvals-body">
        <RequestBody about={about} home={home} foldKey={`approval/${request.id}`} />
      </div>
      {error !== null && <Notice tone="danger">{error}</Notice>}
      <RequestForm
        request={request}
        serverVersion={serverVersion}
        busy={busy}
        onAnswer={answer}
        onRefuse={(message) => attempt(onRefuse(request.id, message))}
      />
      {decline !== undefined && onExplain !== undefined && <DeclineForm busy={busy} onDecline={declineBecause} />}
    </section>
  );
}
