import { ModelError, type ModelRequest } from "../model-provider.ts";

/** A part of requests that not every endpoint of a wire takes. */
export type Lack = "schema" | "usage" | "effort";

/** The words by which providers refuse it. */
const words: Readonly<Record<Lack, RegExp>> = {
  schema: /response_?format|json_?schema|response_?schema|response mime type|structured output/i,
  usage: /stream_options|include_usage/i,
  effort:
    /reasoning_?effort|thinking_?config|not support (?:reasoning|thinking|effort)|(?:reasoning|thinking) is not supported/i,
};

const names: readonly Lack[] = ["schema", "usage", "effort"];

/** The lacks of each model, by its address. Found out anew by each process. */
const known = new Map<string, Set<Lack>>();

/**
 * Asks, and asks again without what the provider refuses. It is left out from then on.
 *
 * @param ask Sends the request without these parts.
 */
export async function withoutLacks<T>(
  { address, request }: { readonly address: string | null; readonly request: ModelRequest },
  ask: (lacks: ReadonlySet<Lack>) => Promise<T>,
): Promise<T> {
  const at = `${address} ${request.model}`;
  for (;;) {
    const lacks = new Set(known.get(at));
    try {
      return await ask(lacks);
    } catch (error) {
      const lack = names.find((name) => !lacks.has(name) && isSent(name, request) && refuses(error, name));
      if (lack === undefined) throw error;
      known.set(at, lacks.add(lack));
    }
  }
}

function isSent(lack: Lack, { outputSchema, effort }: ModelRequest): boolean {
  if (lack === "schema") return Boolean(outputSchema);
  return lack === "usage" || effort !== null;
}

function refuses(error: unknown, lack: Lack): boolean {
  return error instanceof ModelError && error.info === "badRequest" && words[lack].test(error.message);
}
