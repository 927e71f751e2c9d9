import { asList, asText, type Fields } from "../checks.ts";
import type { InputItem, ModelRequestBody, ToolSpec } from "../recorded-request.ts";

/** A request to the Messages API in the terms of the Responses API. */
export function readAnthropic(body: Fields): ModelRequestBody {
  const { system } = body;
  const instructions = system === undefined ? [] : [{ type: "message", role: "system", content: system }];
  return {
    ...body,
    model: asText(body.model),
    input: [...instructions, ...asList(body.messages).flatMap(itemsOf)],
    tools: asList(body.tools).map(
      ({ input_schema: parameters, ...tool }): ToolSpec => ({ type: "function", ...tool, parameters }),
    ),
  };
}

function itemsOf({ role, content }: Fields): InputItem[] {
  if (typeof content === "string") return [{ type: "message", role: asText(role), content }];
  const items: InputItem[] = [];
  let said: Fields[] = [];
  const flush = () => {
    if (said.length > 0) items.push({ type: "message", role: asText(role), content: said });
    said = [];
  };
  for (const block of asList(content)) {
    const item = itemOf(block);
    if (item === undefined) {
      said.push(block);
      continue;
    }
    flush();
    items.push(item);
  }
  flush();
  return items;
}

function itemOf(block: Fields): InputItem | undefined {
  switch (block.type) {
    case "tool_use":
      return {
        type: "function_call",
        call_id: asText(block.id),
        name: block.name,
        arguments: JSON.stringify(block.input),
      };
    case "tool_result":
      return { type: "function_call_output", call_id: asText(block.tool_use_id), output: block.content };
    case "thinking":
    case "redacted_thinking":
      return { ...block, type: "reasoning" };
    default:
      return undefined;
  }
}
