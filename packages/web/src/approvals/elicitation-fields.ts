import { visibleText } from "@quire/protocol";
import { questionWords } from "../words/words.ts";

/** A field of a form that an MCP server asks to be filled in. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly required: boolean;
  readonly control: "text" | "number" | "checkbox" | "choice" | "choices";
  /** Type of the input element, for `text`. */
  readonly inputType: "text" | "email" | "url" | "date" | "datetime-local";
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly initial: FieldValue;
  readonly integer: boolean;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** The value of a field while it is edited. */
export type FieldValue = string | boolean | readonly string[];

type Json = Readonly<Record<string, unknown>>;

/** The fields of a schema; undefined where it asks for something that no form can show. */
export function formFields(schema: unknown): readonly FormField[] | undefined {
  if (!isObject(schema) || !isObject(schema.properties)) return undefined;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields: FormField[] = [];
  for (const [name, property] of Object.entries(schema.properties)) {
    const field = isObject(property) ? fieldOf(name, property, required.includes(name)) : undefined;
    if (field === undefined) return undefined;
    fields.push(field);
  }
  return fields;
}

/** The problem with a value, and how to fix it; undefined for a valid one. */
export function fieldProblem(field: FormField, value: FieldValue): string | undefined {
  if (field.control === "checkbox") return undefined;
  if (typeof value === "object") return choicesProblem(field, value);
  const text = String(value).trim();
  if (text === "") return field.required ? questionWords.fill : undefined;
  if (field.control === "number") return numberProblem(field, Number(text));
  if (field.control === "choice") return undefined;
  if (field.min !== undefined && text.length < field.min) return questionWords.toUseLeastCharacters(field.min);
  if (field.max !== undefined && text.length > field.max) return questionWords.toUseMostCharacters(field.max);
  if (field.inputType === "email" && !/^\S+@\S+\.\S+$/.test(text)) return questionWords.enterEMailAddressLike;
  if (field.inputType === "url" && !URL.canParse(text)) return questionWords.enterWholeAddressLikeHttps;
  if (field.inputType === "date" && Number.isNaN(Date.parse(text))) return questionWords.enterDateLike202611;
  if (field.inputType === "datetime-local" && Number.isNaN(Date.parse(text))) return questionWords.enterDateTime;
  return undefined;
}

/** The filled form as it is sent. Optional fields that are empty are left out. */
export function formContent(
  fields: readonly FormField[],
  values: Readonly<Record<string, FieldValue>>,
): Readonly<Record<string, unknown>> {
  const entries = fields.flatMap((field): [string, unknown][] => {
    const value = values[field.name] ?? field.initial;
    if (typeof value === "boolean") return [[field.name, value]];
    if (typeof value === "object") return value.length === 0 && !field.required ? [] : [[field.name, [...value]]];
    const text = value.trim();
    if (text === "") return [];
    if (field.control === "number") return [[field.name, Number(text)]];
    return [[field.name, field.inputType === "datetime-local" ? new Date(text).toISOString() : text]];
  });
  return Object.fromEntries(entries);
}

function fieldOf(name: string, property: Json, required: boolean): FormField | undefined {
  const base = {
    name,
    label: visibleText(textOf(property.title) ?? name, { oneLine: true }),
    hint: shownText(property.description),
    required,
    inputType: "text" as const,
    options: [],
    integer: property.type === "integer",
    min: undefined,
    max: undefined,
  };
  switch (property.type) {
    case "boolean":
      return { ...base, control: "checkbox", initial: property.default === true };
    case "number":
    case "integer":
      return {
        ...base,
        control: "number",
        initial: typeof property.default === "number" ? String(property.default) : "",
        min: numberOf(property.minimum),
        max: numberOf(property.maximum),
      };
    case "string": {
      const options = optionsOf(property);
      // A text with hidden characters is nothing that somebody would send on purpose.
      const given = textOf(property.default) ?? "";
      const initial = visibleText(given) === given ? given : "";
      if (options !== undefined) return { ...base, control: "choice", options, initial };
      return {
        ...base,
        control: "text",
        inputType: inputTypes.get(String(property.format)) ?? "text",
        initial,
        min: numberOf(property.minLength),
        max: numberOf(property.maxLength),
      };
    }
    case "array": {
      const options = isObject(property.items) ? optionsOf(property.items) : undefined;
      if (options === undefined) return undefined;
      const initial = Array.isArray(property.default) ? property.default.map(String) : [];
      const [min, max] = [numberOf(property.minItems), numberOf(property.maxItems)];
      return { ...base, control: "choices", options, initial, min, max };
    }
    default:
      return undefined;
  }
}

const inputTypes: ReadonlyMap<string, FormField["inputType"]> = new Map(
  Object.entries<FormField["inputType"]>({
    email: "email",
    uri: "url",
    date: "date",
    "date-time": "datetime-local",
  }),
);

/** The choices of a schema, in any of the spellings that there are: titled, plain, and the oldest one. */
function optionsOf(schema: Json): FormField["options"] | undefined {
  const titled = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(titled)) {
    return titled.filter(isObject).map((each) => option(String(each.const), String(each.title ?? each.const)));
  }
  if (!Array.isArray(schema.enum)) return undefined;
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  return schema.enum.map((value, index) => option(String(value), String(names[index] ?? value)));
}

const option = (value: string, label: string): FormField["options"][number] => ({
  value,
  label: visibleText(label, { oneLine: true }),
});

function numberProblem({ integer, min, max }: FormField, value: number): string | undefined {
  if (Number.isNaN(value)) return questionWords.enterNumber;
  if (integer && !Number.isInteger(value)) return questionWords.enterWholeNumber;
  if (min !== undefined && value < min) return questionWords.enterLeast(min);
  if (max !== undefined && value > max) return questionWords.enterMost(max);
  return undefined;
}

function choicesProblem({ required, min, max }: FormField, chosen: readonly string[]): string | undefined {
  const least = min ?? (required ? 1 : 0);
  if (chosen.length < least && (required || chosen.length > 0)) return questionWords.chooseLeast(least);
  return max !== undefined && chosen.length > max ? questionWords.chooseMost(max) : undefined;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const shownText = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text === undefined ? undefined : visibleText(text);
};
const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
