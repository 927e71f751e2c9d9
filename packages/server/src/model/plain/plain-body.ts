import type { ModelRequest } from "../model-provider.ts";
import type { Without } from "./optional-fields.ts";
import { plainInput } from "./plain-input.ts";
import type { PlainTools } from "./plain-tools.ts";

/** The body of `POST /responses` with nothing in it that only some endpoints know. */
export function plainBody(request: ModelRequest, tools: PlainTools, without: Without): string {
  const { model, effort, outputSchema, toolChoice, maxOutputTokens: most } = request;
  const functions = tools.functions.map(({ strict, ...rest }) => {
    const spec = { type: "function", ...rest };
    return without.has("strict") ? spec : { ...spec, strict };
  });
  const offered = [...functions, ...tools.hosted];
  const input = plainInput(request.input, tools).filter(
    ({ type }) => type !== "reasoning" || !without.has("reasoning"),
  );
  const schema = outputSchema ?? undefined;
  return JSON.stringify({
    model,
    ...(offered.length > 0 && { tools: offered }),
    ...(offered.length > 0 && toolChoice && !without.has("tool_choice") && { tool_choice: toolChoice }),
    input,
    ...(effort && effort !== "none" && !without.has("reasoning") && { reasoning: { effort } }),
    ...(schema !== undefined && { text: { format: { type: "json_schema", name: "output", strict: true, schema } } }),
    ...(most !== undefined && { max_output_tokens: most }),
    // Endpoints that keep answers must not keep these.
    ...(!without.has("store") && { store: false }),
    stream: true,
  });
}
