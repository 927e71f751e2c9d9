import type { Piece } from "./event-stream.ts";
import type { Call, TextOptions } from "./parts.ts";
import { type Chunks, splitText } from "./split-text.ts";
import type { Step } from "./steps.ts";
import type { SentRequest } from "./wire.ts";

/** Cuts a text as scripted, and encodes each delta; waits stand between them. */
export function* encodeDeltas(
  text: string | Chunks,
  { chunks = 1, delayMs = 0 }: Pick<TextOptions, "chunks" | "delayMs">,
  encode: (delta: string) => string,
): Generator<Piece> {
  let isFirst = true;
  for (const chunk of typeof text === "string" ? splitText(text, chunks) : text) {
    if (typeof chunk !== "string") {
      yield { wait: chunk };
      continue;
    }
    if (delayMs > 0 && !isFirst) yield { wait: delayMs };
    isFirst = false;
    yield encode(chunk);
  }
}

/** A tool as an API that knows functions only offers it. */
export interface OfferedFunction {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A scripted call for an API that knows functions only: a freeform input goes into the function's only text field. */
export function functionCallOf(call: Call, offered: readonly OfferedFunction[]): { name: string; input: string } {
  const { namespace, type, input } = call;
  const inNamespace = ({ name }: OfferedFunction): boolean =>
    namespace !== undefined && name.includes(namespace) && name.endsWith(call.name);
  const tool = offered.find(({ name }) => name === call.name) ?? offered.find(inNamespace);
  const name = tool?.name ?? call.name;
  if (type === "function_call") return { name, input };
  const [field = "input"] = Object.keys((tool?.parameters.properties as object | undefined) ?? {});
  return { name, input: JSON.stringify({ [field]: input }) };
}

/** The complaint about a step that an API has no words for. */
export function unplayable(step: Step, { path }: SentRequest): Error {
  return new Error(`The API of ${path} cannot say a scripted "${step.type}". Use raw() for its own events.`);
}
