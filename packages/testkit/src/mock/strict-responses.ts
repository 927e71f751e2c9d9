import {
  asFields,
  asList,
  asText,
  type Fields,
  insist,
  isJsonObject,
  onlyKnown,
  type Refusal,
  refusalOf,
} from "./checks.ts";
import type { ResponsesVocabulary } from "./responses-vocabulary.ts";

/** Refuses whatever an endpoint of `POST /v1/responses` with these words refuses. */
export function checkResponses(body: Fields, words: ResponsesVocabulary): Refusal | undefined {
  return refusalOf(() => {
    onlyKnown(body, words.body, unknownParameter(""));
    onlyKnown(asFields(body.text), words.text, unknownParameter("text."));
    insist(asText(body.model) !== "", "Missing required parameter: 'model'.", "model");
    for (const [index, tool] of asList(body.tools).entries()) checkTool(tool, `tools[${index}]`, words);
    if (typeof body.input !== "string") checkItems(asList(body.input), words);
  });
}

const unknownParameter =
  (prefix: string) =>
  (key: string): [string, string] => [`Unknown parameter: '${prefix}${key}'.`, `${prefix}${key}`];

function checkTool(tool: Fields, at: string, words: ResponsesVocabulary): void {
  const type = asText(tool.type);
  insist(words.tools.has(type), unsupported(type, words.tools), `${at}.type`);
  if (type !== "function" && type !== "custom" && type !== "namespace") return;
  if (words.toolFields) onlyKnown(tool, words.toolFields, unknownParameter(`${at}.`));
  const isLegal = /^[a-zA-Z0-9_-]{1,64}$/.test(asText(tool.name));
  insist(
    isLegal,
    `Invalid '${at}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    `${at}.name`,
  );
  if (type === "namespace") {
    for (const [index, inner] of asList(tool.tools).entries()) checkTool(inner, `${at}.tools[${index}]`, words);
  }
  insist(
    type !== "function" || asFields(tool.parameters).type === "object",
    `Invalid schema for function '${asText(tool.name)}': schema must be of 'type: "object"'.`,
    `${at}.parameters`,
  );
}

/** Kinds of calls, and the words of their complaints. */
const calls: ReadonlyMap<string, string> = new Map([
  ["function_call", "function call"],
  ["custom_tool_call", "custom tool call"],
  ["local_shell_call", "local shell call"],
]);
const outputs: ReadonlyMap<string, string> = new Map([...calls].map(([type, said]) => [`${type}_output`, said]));

/** Kinds of items, fields of each, the order of roles, and an answer to each call. */
function checkItems(items: readonly Fields[], words: ResponsesVocabulary): void {
  const open = new Map<string, string>();
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const at = `input[${index}]`;
    const type = typeOf(item);
    const known = words.items.get(type);
    insist(known !== undefined, unsupported(type, words.items.keys()), `${at}.type`);
    if (known !== "any") onlyKnown(item, known, unknownParameter(`${at}.`));
    if (type === "message") checkMessage(item, at, words);
    if (type === "message" && words.isTemplated) checkTurn(item, items[index - 1]);
    const callId = asText(item.call_id);
    const call = calls.get(type);
    if (call) {
      const isRead = !words.isTemplated || type !== "function_call" || isJsonObject(item.arguments);
      insist(isRead, `Invalid '${at}.arguments': not a JSON object.`, `${at}.arguments`);
      open.set(callId, call);
      seen.add(callId);
    }
    const output = outputs.get(type);
    if (!output) continue;
    insist(seen.has(callId), `No tool call found for ${output} output with call_id ${callId}.`, "input");
    open.delete(callId);
  }
  const [unanswered] = open;
  insist(unanswered === undefined, `No tool output found for ${unanswered?.[1]} ${unanswered?.[0]}.`, "input");
}

function checkMessage({ role, content }: Fields, at: string, { roles }: ResponsesVocabulary): void {
  insist(roles.has(asText(role)), unsupported(asText(role), roles), `${at}.role`);
  if (typeof content === "string") return;
  for (const [index, { type }] of asList(content).entries()) {
    const isOutput = type === "output_text" || type === "refusal";
    const isInput = type === "input_text" || type === "input_image" || type === "input_file";
    const fits = (isOutput || isInput) && isOutput === (role === "assistant");
    insist(fits, `Invalid value: '${String(type)}' in a message of '${String(role)}'.`, `${at}.content[${index}].type`);
  }
}

/** The order that the templates of open models insist on. */
function checkTurn({ role }: Fields, before: Fields | undefined): void {
  insist(role !== "system" || before === undefined, "System message must be at the beginning.", "input");
  const repeats = before !== undefined && typeOf(before) === "message" && before.role === role;
  insist(!repeats, "Conversation roles must alternate user/assistant/user/assistant/...", "input");
}

const typeOf = ({ type, role }: Fields): string => asText(type ?? (role === undefined ? "" : "message"));

function unsupported(value: string, supported: Iterable<string>): string {
  const names = [...supported].map((name) => `'${name}'`).join(", ");
  return `Invalid value: '${value}'. Supported values are: ${names}.`;
}
