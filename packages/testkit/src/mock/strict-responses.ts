import {
  asFields,
  asList,
  asText,
  type Fields,
  insist,
  isJsonObject,
  names,
  onlyKnown,
  type Refusal,
  refusalOf,
} from "./checks.ts";

const bodyFields = names(
  "model input instructions tools tool_choice parallel_tool_calls reasoning store stream temperature top_p max_output_tokens text previous_response_id truncation metadata include user",
);
const textFields = names("format");
const toolFields = names("type name description parameters strict");
const roles = names("user assistant system");
const partTypes = names("input_text output_text input_image refusal");

/** Fields of each kind of item. */
const itemFields: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["message", names("type id role content status")],
  ["reasoning", names("type id summary content encrypted_content status")],
  ["function_call", names("type id call_id name arguments status")],
  ["function_call_output", names("type id call_id output status")],
]);

/** Refuses whatever an endpoint of open models refuses of a request to `POST /v1/responses`. */
export function checkResponses(body: Fields): Refusal | undefined {
  return refusalOf(() => {
    onlyKnown(body, bodyFields, unknownParameter(""));
    onlyKnown(asFields(body.text), textFields, unknownParameter("text."));
    insist(asText(body.model) !== "", "Missing required parameter: 'model'.", "model");
    asList(body.tools).forEach(checkTool);
    if (typeof body.input !== "string") checkItems(asList(body.input));
  });
}

const unknownParameter =
  (prefix: string) =>
  (key: string): [string, string] => [`Unknown parameter: '${prefix}${key}'.`, `${prefix}${key}`];

function checkTool(tool: Fields, index: number): void {
  const at = `tools[${index}]`;
  insist(
    tool.type === "function",
    `Invalid value: '${String(tool.type)}'. Supported values are: 'function'.`,
    `${at}.type`,
  );
  onlyKnown(tool, toolFields, unknownParameter(`${at}.`));
  const isLegal = /^[a-zA-Z0-9_-]{1,64}$/.test(asText(tool.name));
  insist(
    isLegal,
    `Invalid '${at}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    `${at}.name`,
  );
  insist(
    asFields(tool.parameters).type === "object",
    `Invalid schema for function '${asText(tool.name)}': schema must be of 'type: "object"'.`,
    `${at}.parameters`,
  );
}

/** Kinds of items, fields of each, and an answer to each call. */
function checkItems(items: readonly Fields[]): void {
  const open = new Set<string>();
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const at = `input[${index}]`;
    const type = asText(item.type ?? (item.role === undefined ? "" : "message"));
    const known = itemFields.get(type);
    const supported = [...itemFields.keys()].map((name) => `'${name}'`).join(", ");
    insist(known !== undefined, `Invalid value: '${type}'. Supported values are: ${supported}.`, `${at}.type`);
    onlyKnown(item, known, unknownParameter(`${at}.`));
    const callId = asText(item.call_id);
    if (type === "message") checkMessage(item, at);
    if (type === "function_call") {
      insist(isJsonObject(item.arguments), `Invalid '${at}.arguments': not a JSON object.`, `${at}.arguments`);
      open.add(callId);
      seen.add(callId);
    }
    if (type !== "function_call_output") continue;
    insist(seen.has(callId), `No tool call found for function call output with call_id ${callId}.`, "input");
    open.delete(callId);
  }
  const [unanswered] = open;
  insist(unanswered === undefined, `No tool output found for function call ${unanswered}.`, "input");
}

function checkMessage({ role, content }: Fields, at: string): void {
  const supported = "Supported values are: 'system', 'assistant', and 'user'.";
  insist(roles.has(asText(role)), `Invalid value: '${String(role)}'. ${supported}`, `${at}.role`);
  if (typeof content === "string") return;
  for (const [index, { type }] of asList(content).entries()) {
    const isOutput = type === "output_text" || type === "refusal";
    const fits = partTypes.has(asText(type)) && isOutput === (role === "assistant");
    insist(fits, `Invalid value: '${String(type)}' in a message of '${role}'.`, `${at}.content[${index}].type`);
  }
}
