import { type ReactNode, useId } from "react";
import { controlWords } from "../words/words.ts";

/** Props that the control of a field must spread. */
interface FieldControlProps {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
  readonly "aria-required": true | undefined;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly required?: boolean | undefined;
  readonly children: (control: FieldControlProps) => ReactNode;
}

/** A labelled control with a hint, and an error where there is one. */
export function Field({ label, hint, error, required = false, children }: FieldProps) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return (
    <div className="ui-field">
      <label className="ui-field-label" htmlFor={id}>
        {label}
        {required && (
          <span className="ui-field-required" aria-hidden="true">
            {controlWords.required}
          </span>
        )}
      </label>
      {children({
        id,
        "aria-describedby": described.length > 0 ? described.join(" ") : undefined,
        "aria-invalid": error === undefined ? undefined : true,
        "aria-required": required ? true : undefined,
      })}
      {hint !== undefined && (
        <div className="ui-field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {error !== undefined && (
        <div className="ui-field-error" id={`${id}-error`} role="alert">
          {error}
        </div>
      )}
    </div>
  );
}
