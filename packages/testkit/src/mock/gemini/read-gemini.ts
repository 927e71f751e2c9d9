import { asFields, asList, asText, type Fields } from "../checks.ts";
import type { InputItem, ModelRequestBody, ToolSpec } from "../recorded-request.ts";
import type { SentRequest } from "../wire.ts";

/** A request to the Gemini API in the terms of the Responses API. Calls without ids are numbered. */
export function readGemini({ path, body }: SentRequest): ModelRequestBody {
  const parts = asList(asFields(body.systemInstruction).parts);
  const system = parts.length === 0 ? [] : [{ type: "message", role: "system", content: parts }];
  const declared = asList(body.tools).flatMap(({ functionDeclarations }) => asList(functionDeclarations));
  return {
    ...body,
    model: /models\/([^:]+):/.exec(path)?.[1] ?? "",
    input: [...system, ...asList(body.contents).flatMap(itemsOf)],
    tools: declared.map((tool): ToolSpec => ({ type: "function", ...tool })),
  };
}

function itemsOf({ role, parts }: Fields): InputItem[] {
  return asList(parts).map((part): InputItem => {
    const { functionCall, functionResponse } = part;
    if (functionCall !== undefined) {
      const { id, name, args } = asFields(functionCall);
      return { type: "function_call", call_id: asText(id) || asText(name), name, arguments: JSON.stringify(args) };
    }
    if (functionResponse !== undefined) {
      const { id, name, response } = asFields(functionResponse);
      const { content, output } = asFields(response);
      return { type: "function_call_output", call_id: asText(id) || asText(name), output: content ?? output };
    }
    if (part.thought === true) return { type: "reasoning", content: asText(part.text) };
    return { type: "message", role: role === "model" ? "assistant" : asText(role), content: [part] };
  });
}
