import { type ToolRequestUserInputParams, type ToolRequestUserInputQuestion, visibleText } from "@quire/protocol";
import { useId, useState } from "react";
import { Button, Field, TextInput, Visible } from "../ui/index.ts";
import { questionWords } from "../words/words.ts";
import type { AnswerProps } from "./answer-props.ts";
import { answersResult } from "./wire.ts";

/** The choice and text given for one question. */
interface Given {
  /** Label of an option; null for what was typed. */
  readonly option: string | null;
  readonly text: string;
}

interface QuestionFormProps extends AnswerProps {
  readonly params: ToolRequestUserInputParams;
}

/** Questions of the agent: choices, free text, secrets. */
export function QuestionForm({ params, busy, onAnswer }: QuestionFormProps) {
  const [given, setGiven] = useState<Readonly<Record<string, Given>>>({});
  const { questions, autoResolutionMs } = params;
  const answers = questions.flatMap((question): [string, string][] => {
    const { option = null, text = "" } = given[question.id] ?? {};
    const answer = option ?? text.trim();
    return answer === "" ? [] : [[question.id, answer]];
  });
  return (
    <form
      className="approvals-form"
      onSubmit={(event) => {
        event.preventDefault();
        const byId = Object.fromEntries(answers.map(([id, answer]) => [id, [answer]]));
        onAnswer(answersResult(byId), answeredLabel(questions, new Map(answers)));
      }}
    >
      {questions.map((question) => (
        <QuestionField
          key={question.id}
          question={question}
          given={given[question.id] ?? { option: null, text: "" }}
          onChange={(next) => setGiven({ ...given, [question.id]: next })}
        />
      ))}
      {typeof autoResolutionMs === "number" && (
        <p className="approvals-hint">
          {questionWords.withoutAnswerAgentGoesAfter} {Math.round(autoResolutionMs / 1000)} s.
        </p>
      )}
      <div className="approvals-actions">
        <Button type="submit" variant="primary" busy={busy} disabled={answers.length === 0}>
          {questionWords.answer}
        </Button>
        <Button disabled={busy} onClick={() => onAnswer(answersResult({}), questionWords.skipped)}>
          {questionWords.skip}
        </Button>
      </div>
    </form>
  );
}

interface QuestionFieldProps {
  readonly question: ToolRequestUserInputQuestion;
  readonly given: Given;
  readonly onChange: (given: Given) => void;
}

function QuestionField({ question, given, onChange }: QuestionFieldProps) {
  const name = useId();
  const options = question.options ?? [];
  const isFree = options.length === 0;
  const input = (label: string) => (
    <Field label={label}>
      {(control) => (
        <TextInput
          {...control}
          type={question.isSecret === true ? "password" : "text"}
          autoComplete="off"
          value={given.text}
          onChange={(event) => onChange({ option: null, text: event.target.value })}
        />
      )}
    </Field>
  );
  if (isFree) {
    return (
      <div className="approvals-question">
        {question.header !== "" && <Header text={question.header} />}
        {input(visibleText(question.question))}
      </div>
    );
  }
  return (
    <fieldset className="approvals-question approvals-choices">
      <legend>
        {question.header !== "" && <Header text={question.header} />}
        <Visible text={question.question} />
      </legend>
      {options.map((option) => (
        <label key={option.label} className="ui-check">
          <input
            type="radio"
            name={name}
            checked={given.option === option.label}
            onChange={() => onChange({ ...given, option: option.label })}
          />
          <span className="ui-check-text">
            <span>
              <Visible text={option.label} oneLine />
            </span>
            {option.description !== "" && option.description !== option.label && (
              <span className="ui-field-hint">
                <Visible text={option.description} oneLine />
              </span>
            )}
          </span>
        </label>
      ))}
      {question.isOther === true && input(questionWords.somethingElse)}
    </fieldset>
  );
}

function Header({ text }: { readonly text: string }) {
  return (
    <span className="approvals-header">
      <Visible text={text} oneLine />
    </span>
  );
}

function answeredLabel(
  questions: readonly ToolRequestUserInputQuestion[],
  answers: ReadonlyMap<string, string>,
): string {
  const parts = questions.flatMap(({ id, isSecret }) => {
    const answer = answers.get(id);
    return answer === undefined ? [] : [isSecret === true ? "a secret" : answer];
  });
  return `Answered: ${parts.join(", ")}`;
}
