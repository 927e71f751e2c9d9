import { useState } from "react";
import { Button, Field } from "../ui/index.ts";
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
        onAnswer(toolResult(text, true), "Answered the tool call");
      }}
    >
      <Field label="Result for the agent">
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
          Send result
        </Button>
        <Button
          disabled={busy}
          onClick={() => onAnswer(toolResult("The user has no result for this call.", false), "Declined the tool call")}
        >
          Decline
        </Button>
      </div>
    </form>
  );
}
