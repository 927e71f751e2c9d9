import type { PendingRequest } from "../state/model.ts";
import { Button } from "../ui/index.ts";
import { questionWords } from "../words/words.ts";
import type { AnswerProps } from "./answer-props.ts";
import { ChoiceButtons } from "./choice-buttons.tsx";
import { type Choice, choicesOf } from "./choices.ts";
import { ElicitationForm } from "./elicitation-form.tsx";
import { QuestionForm } from "./question-form.tsx";
import { askedOf } from "./request-kind.ts";
import { ToolCallForm } from "./tool-call-form.tsx";
import { UrlForm } from "./url-form.tsx";

interface RequestFormProps extends AnswerProps {
  readonly request: PendingRequest;
  readonly serverVersion: string | null;
  /** Tells the server that nobody can answer this here. */
  readonly onRefuse: (message: string) => void;
}

/** The buttons or the form by which a question is answered. */
export function RequestForm({ request, serverVersion, busy, onAnswer, onRefuse }: RequestFormProps) {
  const asked = askedOf(request);
  switch (asked.kind) {
    case "questions":
      return <QuestionForm params={asked.params} busy={busy} onAnswer={onAnswer} />;
    case "toolCall":
      return <ToolCallForm busy={busy} onAnswer={onAnswer} />;
    case "elicitation":
      if (asked.params.mode === "url") return <UrlForm url={asked.params.url} busy={busy} onAnswer={onAnswer} />;
      return (
        <ElicitationForm
          schema={"requestedSchema" in asked.params ? asked.params.requestedSchema : undefined}
          busy={busy}
          onAnswer={onAnswer}
        />
      );
    case "unknown":
      return (
        <div className="approvals-actions">
          <Button disabled={busy} onClick={() => onRefuse(questionWords.webPageCannotAnswer(request.method))}>
            {questionWords.refuse}
          </Button>
        </div>
      );
    default:
      return (
        <ChoiceButtons
          choices={choicesOf(request, serverVersion)}
          busy={busy}
          onChoose={(choice: Choice) => onAnswer(choice.result, choice.answered)}
        />
      );
  }
}
