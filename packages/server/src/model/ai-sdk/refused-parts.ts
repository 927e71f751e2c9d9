import { ModelError, type ModelRequest } from "../model-provider.ts";

/** A part of requests that not every endpoint of a wire takes; `order` is a user who speaks right after a tool. */
export type RefusedPart = "schema" | "usage" | "effort" | "order";

/** The words by which providers refuse it. */
const words: Readonly<Record<RefusedPart, RegExp>> = {
  schema: /response_?format|json_?schema|response_?schema|response mime type|structured output/i,
  usage: /stream_options|include_usage/i,
  effort:
    /reasoning_?effort|thinking_?config|not support (?:reasoning|thinking|effort)|(?:reasoning|thinking) is not supported/i,
  order: /unexpected role '?user'? after role '?tool|roles must alternate/i,
};

const names: readonly RefusedPart[] = ["schema", "usage", "effort", "order"];

/** The parts that each model refuses, by its address. Found out anew by each process. */
const known = new Map<string, Set<RefusedPart>>();

/**
 * Asks, and asks again without what the provider refuses. It is left out from then on.
 *
 * @param ask Sends the request without these parts.
 */
export async function withoutRefusedParts<T>(
  { address, request }: { readonly address: string | null; readonly request: ModelRequest },
  ask: (refused: ReadonlySet<RefusedPart>) => Promise<T>,
): Promise<T> {
  const at = `${address} ${request.model}`;
  for (;;) {
    const refused = new Set(known.get(at));
    try {
      return await ask(refused);
    } catch (error) {
      const part = names.find((name) => !refused.has(name) && isSent(name, request) && refuses(error, name));
      if (part === undefined) throw error;
      known.set(at, refused.add(part));
    }
  }
}

function isSent(part: RefusedPart, { outputSchema, effort }: ModelRequest): boolean {
  if (part === "schema") return Boolean(outputSchema);
  return part !== "effort" || effort !== null;
}

function refuses(error: unknown, part: RefusedPart): boolean {
  return error instanceof ModelError && error.info === "badRequest" && words[part].test(error.message);
}
