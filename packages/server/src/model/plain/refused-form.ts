import { isTable } from "../../lib/table.ts";
import type { Failure } from "../failure.ts";
import { type OptionalField, optionalFields, type Without } from "./optional-fields.ts";

/** Words for what endpoints do not know: kinds of tools and items, roles, fields. */
const form =
  /\b(?:tools?|types?|roles?|developer|fields?|propert(?:y|ies)|parameters?|arguments?|discriminator|namespace|web_search|custom|include|store|unknown|unsupported|unrecognized|unexpected|not permitted|extra inputs?|schema|validation|deserialize|unmarshal|client_metadata|prompt_cache_key|service_tier|verbosity)\b/i;

/** Templates of chats fail within the server, so that some answer 500. */
const template = /unexpected (?:message )?role|roles must alternate|system message must|jinja/i;

/** True for a refusal that may be about the form of a request. */
export function refusesForm({ httpStatus, message }: Failure): boolean {
  const words = saidIn(message);
  if (httpStatus === 400 || httpStatus === 422) return form.test(words) || template.test(words);
  return httpStatus !== null && httpStatus >= 500 && template.test(words);
}

/** The field that a refusal names and that a plain request can do without; `undefined` if there is none. */
export function refusedField({ message }: Failure, without: Without): OptionalField | undefined {
  const words = saidIn(message);
  return optionalFields.find((field) => !without.has(field) && new RegExp(`\\b${field}\\b`, "i").test(words));
}

/** The words of an error. Its own type and code are in a body too, and say nothing of the request. */
function saidIn(body: string): string {
  try {
    return textsIn(JSON.parse(body)).join(" ");
  } catch {
    return body;
  }
}

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (depth > 6) return [];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, depth + 1));
  if (!isTable(value)) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === "type" || key === "code" || key === "object" ? [] : textsIn(each, depth + 1),
  );
}
