import type { TurnError as TurnErrorData } from "@quire/protocol";
import { CircleAlert } from "lucide-react";
import { CopyButton } from "../items/copy-button.tsx";
import { clipped } from "../items/format.ts";
import { threadWords } from "../words/words.ts";
import { errorWords } from "./error-words.ts";

/** Why a turn failed, and what can be done. */
export function TurnError({ error }: { readonly error: TurnErrorData }) {
  const { title, remedy } = errorWords(error.codexErrorInfo);
  const details = error.additionalDetails ?? error.misalignment?.detailedExplanation ?? "";
  return (
    <div className="thread-error">
      <CircleAlert size={16} aria-hidden="true" />
      <div className="thread-error-text">
        <strong>{title}</strong>
        <p>{clipped(error.message, 4000)}</p>
        {details !== "" && details !== error.message && (
          <p className="thread-error-details">{clipped(details, 4000)}</p>
        )}
        {remedy !== null && <p className="thread-remedy">{remedy}</p>}
      </div>
      <CopyButton
        label={threadWords.copyError}
        text={() => [title, error.message, details].filter(Boolean).join("\n")}
      />
    </div>
  );
}
