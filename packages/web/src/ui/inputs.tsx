import { ChevronDown } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** A text field of one line. */
export function TextInput({ className, ...props }: ComponentProps<"input">) {
  return <input type="text" {...props} className={classNames("ui-input", className)} />;
}

/** A choice of a {@link Select}. */
export interface SelectOption {
  readonly value: string;
  readonly label: string;
}

interface SelectProps extends Omit<ComponentProps<"select">, "onChange" | "children"> {
  readonly options: readonly SelectOption[];
  readonly onChange: (value: string) => void;
}

/** A list to choose from, as the platform draws it: on a phone, its own wheel. */
export function Select({ options, onChange, className, ...props }: SelectProps) {
  return (
    <span className={classNames("ui-select", className)}>
      <select {...props} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown size={16} aria-hidden="true" />
    </span>
  );
}

/** Props of {@link Checkbox} and {@link Switch}. */
export interface ToggleProps extends Omit<ComponentProps<"input">, "onChange" | "type"> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly onChange: (checked: boolean) => void;
}

/** A box to tick, with its label. */
export function Checkbox({ label, hint, onChange, className, ...props }: ToggleProps) {
  return (
    <label className={classNames("ui-check", className)}>
      <input {...props} type="checkbox" onChange={(event) => onChange(event.target.checked)} />
      <ToggleText label={label} hint={hint} />
    </label>
  );
}

/** Something that is on or off at once. */
export function Switch({ label, hint, onChange, className, ...props }: ToggleProps) {
  return (
    <label className={classNames("ui-switch", className)}>
      <ToggleText label={label} hint={hint} />
      <input
        {...props}
        type="checkbox"
        role="switch"
        aria-checked={props.checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  );
}

function ToggleText({ label, hint }: { readonly label: ReactNode; readonly hint: ReactNode }) {
  return (
    <span className="ui-check-text">
      <span>{label}</span>
      {hint !== undefined && <span className="ui-field-hint">{hint}</span>}
    </span>
  );
}
