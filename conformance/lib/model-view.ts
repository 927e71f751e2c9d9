import type { InputItem, RecordedRequest, ToolSpec } from "@quire/testkit";
import { describeText } from "./prose.ts";
import type { Scrubber } from "./scrub.ts";

/** A model request in comparable form. */
export interface ModelView {
  /** Roles and kinds of what the model is sent, one line for each part. */
  readonly input: readonly string[];
  /** The tools on offer: names and shapes, no descriptions. */
  readonly tools: Readonly<Record<string, unknown>>;
  /** All the rest: model, reasoning, text format, flags. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** The name of the thread that asks, by which requests are put beside each other. Not compared. */
  readonly thread?: string;
}

/** Fields of an item that tell the model nothing. */
const bookkeeping: ReadonlySet<string> = new Set(["id", "status"]);

/** Fields that only the vendor of the model reads. */
const vendorFields: ReadonlySet<string> = new Set(["client_metadata"]);

/** Takes prompts and descriptions out of a request, for each server words them as it likes. */
export function modelView(request: RecordedRequest, quotes: readonly string[], scrubber: Scrubber): ModelView {
  const { input, tools = [], ...rest } = request.body;
  const flags = Object.entries(rest).filter(([key]) => !vendorFields.has(key));
  return {
    input: input.flatMap((item) => describeItem(item, quotes, scrubber)),
    tools: Object.fromEntries(tools.flatMap((tool) => shapes(tool))),
    flags: { ...Object.fromEntries(flags.map(([key, value]) => [key, scrubber.value(value)])), ...headers(request) },
  };
}

/** Adds which thread asks. To be called when all else is rewritten, as it gives names to threads that are not told of. */
export function withThread(view: ModelView, { body }: RecordedRequest, scrubber: Scrubber): ModelView {
  const { thread_id: thread } = (body.client_metadata ?? {}) as { readonly thread_id?: string };
  return { ...view, ...(thread !== undefined && { thread: scrubber.text(thread) }) };
}

/** The credential, which the provider's settings decide; of a signature, who has made it. */
function headers({ headers }: RecordedRequest): object {
  const { authorization, "x-conformance": marked } = headers;
  const signed = /\/\d{8}\/(.+), SignedHeaders=.+/;
  return {
    ...(authorization && { authorization: String(authorization).replace(signed, "/<date>/$1") }),
    ...(marked && { "x-conformance": marked }),
  };
}

function describeItem(item: InputItem, quotes: readonly string[], scrubber: Scrubber): string[] {
  if (item.role !== undefined && Array.isArray(item.content)) {
    return item.content.map((part: unknown) => `${item.role} ${describePart(part, quotes, scrubber)}`);
  }
  const { type = "?", ...fields } = item;
  const told = Object.entries(fields).filter(([key, value]) => value !== null && !bookkeeping.has(key));
  const sorted = told.sort(([one], [other]) => (one < other ? -1 : 1));
  return [`${type} ${JSON.stringify(scrubber.value(Object.fromEntries(sorted)))}`];
}

function describePart(part: unknown, quotes: readonly string[], scrubber: Scrubber): string {
  if (typeof part !== "object" || part === null || !("type" in part)) return JSON.stringify(part);
  if ("text" in part && typeof part.text === "string") return describeText(part.text, quotes, scrubber);
  return JSON.stringify(scrubber.value(part));
}

function shapes(tool: ToolSpec): (readonly [string, unknown])[] {
  const name = tool.name ?? tool.type;
  if (tool.tools)
    return tool.tools.flatMap((inner) => shapes({ ...inner, name: `${name}.${inner.name ?? inner.type}` }));
  const { name: _, ...rest } = tool;
  return [[name, withoutDescriptions(rest)]];
}

function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== "object" || value === null) return value;
  // A property that is called so is an object, not a text.
  const kept = Object.entries(value).filter(([key, inner]) => key !== "description" || typeof inner !== "string");
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutDescriptions(inner)]));
}
