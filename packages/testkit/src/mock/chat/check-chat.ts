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
} from "../checks.ts";

const bodyFields = names(
  "model messages tools tool_choice parallel_tool_calls stream stream_options temperature top_p max_tokens max_completion_tokens response_format reasoning_effort stop seed user frequency_penalty presence_penalty n verbosity",
);
const toolFields = names("type function");
const functionFields = names("name description parameters strict");

/** Fields of the messages of each role. */
const messageFields: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["system", names("role content name")],
  ["user", names("role content name")],
  ["assistant", names("role content name tool_calls reasoning_content refusal")],
  ["tool", names("role content tool_call_id name")],
]);

/** Refuses whatever servers of the Chat Completions API refuse. */
export function checkChat(body: Fields): Refusal | undefined {
  return refusalOf(() => {
    onlyKnown(body, bodyFields, (key) => [`Unrecognized request argument supplied: ${key}`, key]);
    insist(asText(body.model) !== "", "you must provide a model parameter", "model");
    const tools = asList(body.tools);
    insist(!Array.isArray(body.tools) || tools.length > 0, "[] is too short - 'tools'", "tools");
    tools.forEach(checkTool);
    const needsTools = body.tool_choice !== undefined || body.parallel_tool_calls !== undefined;
    insist(!needsTools || tools.length > 0, "'tool_choice' is only allowed when 'tools' are specified.", "tool_choice");
    const messages = asList(body.messages);
    insist(messages.length > 0, "[] is too short - 'messages'", "messages");
    messages.forEach(checkMessage);
    checkOrder(messages);
  });
}

function checkTool(tool: Fields, index: number): void {
  const at = `tools[${index}]`;
  insist(
    tool.type === "function",
    `Invalid value: '${String(tool.type)}'. Supported values are: 'function'.`,
    `${at}.type`,
  );
  onlyKnown(tool, toolFields, (key) => [`Unknown parameter: '${at}.${key}'.`, `${at}.${key}`]);
  const made = asFields(tool.function);
  onlyKnown(made, functionFields, (key) => [`Unknown parameter: '${at}.function.${key}'.`, `${at}.function.${key}`]);
  checkName(made.name, `${at}.function.name`);
  const isObject = made.parameters === undefined || asFields(made.parameters).type === "object";
  insist(isObject, `Invalid schema for function '${asText(made.name)}'`, `${at}.function.parameters`);
}

function checkName(name: unknown, at: string): void {
  const isLegal = /^[a-zA-Z0-9_-]{1,64}$/.test(asText(name));
  insist(isLegal, `Invalid '${at}': string does not match pattern '^[a-zA-Z0-9_-]{1,64}$'.`, at);
}

function checkMessage(message: Fields, index: number): void {
  const at = `messages[${index}]`;
  const role = asText(message.role);
  const known = messageFields.get(role);
  insist(
    known !== undefined,
    `Invalid value: '${role}'. Supported values are: 'system', 'assistant', 'user' and 'tool'.`,
    `${at}.role`,
  );
  onlyKnown(message, known, (key) => [`Unknown parameter: '${at}.${key}'.`, `${at}.${key}`]);
  const calls = asList(message.tool_calls);
  const isEmpty = message.content === null || message.content === undefined;
  insist(!isEmpty || calls.length > 0, `Invalid value for 'content': expected a string, got null.`, `${at}.content`);
  insist(!Array.isArray(message.tool_calls) || calls.length > 0, "[] is too short - 'tool_calls'", `${at}.tool_calls`);
  for (const { type, text, image_url: image } of asList(message.content)) {
    const fits = type === "text" ? typeof text === "string" : type === "image_url" && role === "user";
    insist(fits, `Invalid content part '${String(type)}' in a message of '${role}'.`, `${at}.content`);
    if (type === "image_url")
      insist(/^(data:image\/|https:)/.test(asText(asFields(image).url)), "Invalid image URL.", at);
  }
  for (const call of calls) {
    insist(asText(call.id) !== "" && call.type === "function", "Invalid tool call.", `${at}.tool_calls`);
    const isShort = asText(call.id).length <= 40;
    insist(isShort, `Invalid '${at}.tool_calls.id': string too long. Expected at most 40 characters.`, at);
    const { name, arguments: args } = asFields(call.function);
    checkName(name, `${at}.tool_calls.function.name`);
    insist(isJsonObject(args), "Failed to parse tool call arguments as JSON", `${at}.tool_calls`);
  }
}

/** The instructions come first, roles take turns, and right after its calls each has its output. */
function checkOrder(messages: readonly Fields[]): void {
  let open = new Set<string>();
  for (const [index, { role, tool_calls: calls, tool_call_id: id }] of messages.entries()) {
    insist(role !== "system" || index === 0, "System message must be at the beginning.", `messages[${index}].role`);
    const repeats = role !== "tool" && messages[index - 1]?.role === role;
    insist(!repeats, "Conversation roles must alternate user/assistant/user/assistant/...", `messages[${index}].role`);
    if (role === "tool") {
      insist(
        open.delete(asText(id)),
        "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        `messages[${index}].role`,
      );
      continue;
    }
    insistAnswered(open);
    open = new Set(asList(calls).map((call) => asText(call.id)));
  }
  insistAnswered(open);
}

function insistAnswered(open: ReadonlySet<string>): void {
  const ids = [...open].join(", ");
  insist(
    open.size === 0,
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`,
    "messages",
  );
}
