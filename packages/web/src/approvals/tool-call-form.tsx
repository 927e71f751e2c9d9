import { useState } from "react";
import { Button, Field } from "../ui/index.ts";
import { questionWords } from "../words/words.ts";
import type { AnswerProps } from "./answer-props.ts";
import { toolResult } from "./wire.ts";

/** A form for the result of a tool that no program answers. */
export function ToolCallForm({ busy, onAnswer }: AnswerProps) {
  const [text, setText] = useState("");
  return (
    <form
      className="approvals-form"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(toolResult(text, true), questionWords.answeredToolCall);
      }}
    >
      <Field label={questionWords.resultAgent}>
        {(control) => (
          <textarea
            {...control}
            className="ui-input approvals-area"
            rows={3}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div className="approvals-actions">
        <Button type="submit" variant="primary" busy={busy} disabled={text.trim() === ""}>
          {questionWords.sendResult}
        </Button>
        <Button
          disabled={busy}
          onClick={() => onAnswer(toolResult(questionWords.userNoResultCall, false), questionWords.declinedToolCall)}
        >
          {questionWords.decline}
        </Button>
      </div>
    </form>
  );
}
