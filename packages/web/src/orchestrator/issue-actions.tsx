import { Check, RotateCcw, Square } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Button, Field, Notice, Select } from "../ui/index.ts";
import { boardWords } from "../words/words.ts";
import { type Commands, commandKey } from "./use-commands.ts";
import type { Card, IssueDetail } from "./wire.ts";

interface IssueActionsProps {
  readonly detail: IssueDetail;
  readonly card: Card | undefined;
  readonly commands: Commands;
  readonly disabled: boolean;
}

/** Actions of a person that fit an issue as it is now. */
export function IssueActions({ detail, card, commands, disabled }: IssueActionsProps): ReactNode {
  const { issue_identifier: identifier, status, delivery } = detail;
  const isInReview = status === "finished" && delivery?.state === "open" && delivery.pull_url !== null;
  const props = (name: "retry" | "stop" | "approve") => ({
    busy: commands.busy.has(commandKey(identifier, name)),
    disabled,
    onClick: () => void commands.runOn(identifier, { name }),
  });
  const words = { identifier, commands, disabled };
  return (
    <div className="board-actions">
      {status === "blocked" && (
        <WordsForm {...words} name="answer" hint={boardWords.answerHint} label={boardWords.answer} />
      )}
      <div className="orchestrator-commands">
        {isInReview && !delivery.approved && (
          <Button {...props("approve")} variant="primary" icon={<Check size={14} />}>
            {boardWords.approve}
          </Button>
        )}
        {(status === "retrying" || status === "blocked") && (
          <Button {...props("retry")} icon={<RotateCcw size={14} />}>
            {boardWords.retry}
          </Button>
        )}
        {(status === "running" || status === "retrying") && (
          <Button {...props("stop")} variant="danger" icon={<Square size={14} />}>
            {boardWords.stop}
          </Button>
        )}
      </div>
      {isInReview && delivery.approved && <Notice tone="success">{boardWords.approved}</Notice>}
      {isInReview && <WordsForm {...words} name="rework" hint={boardWords.reworkHint} label={boardWords.rework} />}
      {status === "waiting" && (
        <PrioritySelect identifier={identifier} priority={card?.priority ?? null} {...{ commands, disabled }} />
      )}
    </div>
  );
}

interface WordsFormProps extends Pick<IssueActionsProps, "commands" | "disabled"> {
  readonly identifier: string;
  readonly name: "answer" | "rework";
  readonly label: string;
  readonly hint: string;
}

/** Words for an agent. They stay until the orchestrator has taken them. */
function WordsForm({ identifier, name, label, hint, commands, disabled }: WordsFormProps): ReactNode {
  const [text, setText] = useState("");
  const id = useId();
  const send = async (): Promise<void> => {
    if (await commands.runOn(identifier, { name, text })) setText("");
  };
  return (
    <form
      className="board-words"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label htmlFor={id}>{hint}</label>
      <textarea id={id} className="ui-input" rows={3} value={text} onChange={(event) => setText(event.target.value)} />
      <Button
        type="submit"
        variant={name === "answer" ? "primary" : "secondary"}
        busy={commands.busy.has(commandKey(identifier, name))}
        disabled={disabled || text.trim() === ""}
      >
        {label}
      </Button>
    </form>
  );
}

interface PrioritySelectProps extends Pick<IssueActionsProps, "commands" | "disabled"> {
  readonly identifier: string;
  readonly priority: number | null;
}

function PrioritySelect({ identifier, priority, commands, disabled }: PrioritySelectProps): ReactNode {
  const options = boardWords.priorities.map((label, value) => ({ value: String(value), label }));
  const isKnown = priority !== null && priority >= 0 && priority < options.length;
  return (
    <Field label={boardWords.priority}>
      {(control) => (
        <Select
          {...control}
          options={options}
          value={String(isKnown ? priority : 0)}
          disabled={disabled || commands.busy.has(commandKey(identifier, "priority"))}
          onChange={(value) =>
            void commands.runOn(identifier, { name: "priority", priority: value === "0" ? null : Number(value) })
          }
        />
      )}
    </Field>
  );
}
