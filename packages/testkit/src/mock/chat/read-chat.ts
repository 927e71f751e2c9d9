import { asFields, asList, asText, type Fields } from "../checks.ts";
import type { InputItem, ModelRequestBody, ToolSpec } from "../recorded-request.ts";

/** A chat request in the terms of the Responses API. */
export function readChat(body: Fields): ModelRequestBody {
  return {
    ...body,
    model: asText(body.model),
    input: asList(body.messages).flatMap(itemsOf),
    tools: asList(body.tools).map((tool): ToolSpec => ({ type: asText(tool.type), ...asFields(tool.function) })),
  };
}

function itemsOf({
  role,
  content,
  reasoning_content: reasoning,
  tool_calls: calls,
  tool_call_id: id,
}: Fields): InputItem[] {
  if (role === "tool") return [{ type: "function_call_output", call_id: asText(id), output: content }];
  const said = content === null || content === undefined || content === "";
  return [
    ...(reasoning === undefined ? [] : [{ type: "reasoning", content: reasoning }]),
    ...(said ? [] : [{ type: "message", role: asText(role), content }]),
    ...asList(calls).map((call): InputItem => {
      const { name, arguments: args } = asFields(call.function);
      return { type: "function_call", call_id: asText(call.id), name, arguments: args };
    }),
  ];
}
