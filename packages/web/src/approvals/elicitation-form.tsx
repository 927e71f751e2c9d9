import { useState } from "react";
import { Button, Checkbox, Field, Notice, Select, TextInput } from "../ui/index.ts";
import { questionWords } from "../words/words.ts";
import type { AnswerProps } from "./answer-props.ts";
import { type FieldValue, type FormField, fieldProblem, formContent, formFields } from "./elicitation-fields.ts";
import { elicitationResult } from "./wire.ts";

interface ElicitationFormProps extends AnswerProps {
  /** The form as the MCP server describes it. */
  readonly schema: unknown;
}

/** A form of an MCP server. Nothing is sent before every field is right. */
export function ElicitationForm({ schema, busy, onAnswer }: ElicitationFormProps) {
  const [fields] = useState(() => formFields(schema));
  const [values, setValues] = useState<Readonly<Record<string, FieldValue>>>(() =>
    Object.fromEntries((fields ?? []).map((field) => [field.name, field.initial])),
  );
  const [checked, setChecked] = useState(false);

  const refusals = (
    <>
      <Button disabled={busy} onClick={() => onAnswer(elicitationResult("decline"), questionWords.declined)}>
        {questionWords.decline}
      </Button>
      <Button
        variant="ghost"
        disabled={busy}
        onClick={() => onAnswer(elicitationResult("cancel"), questionWords.dismissed)}
      >
        {questionWords.dismiss}
      </Button>
    </>
  );
  if (fields === undefined) {
    return (
      <>
        <Notice tone="warning">{questionWords.formCannotShownDeclineAnswer}</Notice>
        <div className="approvals-actions">{refusals}</div>
      </>
    );
  }
  return (
    <form
      className="approvals-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        const wrong = fields.find((field) => fieldProblem(field, values[field.name] ?? field.initial) !== undefined);
        if (wrong === undefined)
          onAnswer(elicitationResult("accept", formContent(fields, values)), questionWords.answered);
        else (event.currentTarget.elements.namedItem(wrong.name) as HTMLElement | null)?.focus?.();
      }}
    >
      {fields.map((field) => {
        const value = values[field.name] ?? field.initial;
        return (
          <FormFieldView
            key={field.name}
            field={field}
            value={value}
            error={checked ? fieldProblem(field, value) : undefined}
            onChange={(next) => setValues({ ...values, [field.name]: next })}
          />
        );
      })}
      <div className="approvals-actions">
        <Button type="submit" variant="primary" busy={busy}>
          {questionWords.submit}
        </Button>
        {refusals}
      </div>
    </form>
  );
}

interface FormFieldViewProps {
  readonly field: FormField;
  readonly value: FieldValue;
  readonly error: string | undefined;
  readonly onChange: (value: FieldValue) => void;
}

function FormFieldView({ field, value, error, onChange }: FormFieldViewProps) {
  if (field.control === "checkbox") {
    return (
      <Checkbox name={field.name} label={field.label} hint={field.hint} checked={value === true} onChange={onChange} />
    );
  }
  if (field.control === "choices") {
    const chosen = typeof value === "object" ? value : [];
    return (
      <fieldset className="approvals-choices">
        <legend>{field.label}</legend>
        {field.hint !== undefined && <div className="ui-field-hint">{field.hint}</div>}
        {field.options.map((option) => (
          <Checkbox
            key={option.value}
            name={field.name}
            label={option.label}
            checked={chosen.includes(option.value)}
            onChange={(on) => onChange(on ? [...chosen, option.value] : chosen.filter((each) => each !== option.value))}
          />
        ))}
        {error !== undefined && (
          <div className="ui-field-error" role="alert">
            {error}
          </div>
        )}
      </fieldset>
    );
  }
  return (
    <Field label={field.label} hint={field.hint} error={error} required={field.required}>
      {(control) =>
        field.control === "choice" ? (
          <Select
            {...control}
            name={field.name}
            value={String(value)}
            options={[{ value: "", label: questionWords.choose }, ...field.options]}
            onChange={onChange}
          />
        ) : (
          <TextInput
            {...control}
            name={field.name}
            type={field.control === "number" ? "text" : field.inputType}
            inputMode={field.control === "number" ? (field.integer ? "numeric" : "decimal") : undefined}
            value={String(value)}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  );
}
