import { ModelError, type ModelRequest } from "../model-provider.ts";

/**
 * A part of requests that not every endpoint of a wire takes. `order` is a user who speaks right after a tool, `reasoning`
 * that of the history, `ids` those of calls that another provider has given.
 */
export type RefusedPart = "schema" | "usage" | "effort" | "order" | "reasoning" | "ids";

/** The words by which providers refuse it. */
const words: Readonly<Record<RefusedPart, RegExp>> = {
  schema: /response_?format|json_?schema|response_?schema|response mime type|structured output|json mode/i,
  usage: /stream_options|include_usage/i,
  effort:
    /reasoning_?effort|thinking_?config|not support (?:reasoning|thinking|effort)|(?:reasoning|thinking) is not supported/i,
  order: /unexpected role '?user'? after role '?tool|roles must alternate/i,
  // One that misses it wants more of it, not less.
  reasoning: /^(?![\s\S]*missing)[\s\S]*\breasoning_content\b/i,
  ids: /tool_calls\S{0,12}\.id\b|tool[ _]call[ _]ids?\b[\s\S]{0,80}(?:length|must be|too long|pattern)/i,
};

const names: readonly RefusedPart[] = ["schema", "usage", "effort", "order", "reasoning", "ids"];

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

function isSent(part: RefusedPart, { outputSchema, effort, input }: ModelRequest): boolean {
  switch (part) {
    case "schema":
      return Boolean(outputSchema);
    case "effort":
      return effort !== null;
    case "reasoning":
      return input.some(({ type }) => type === "reasoning");
    case "ids":
      return input.some((item) => "call_id" in item && Boolean(item.call_id));
    default:
      return true;
  }
}

function refuses(error: unknown, part: RefusedPart): boolean {
  return error instanceof ModelError && error.info === "badRequest" && words[part].test(error.message);
}
