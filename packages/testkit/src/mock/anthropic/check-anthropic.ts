import { asFields, asList, asText, type Fields, insist, names, onlyKnown, type Refusal, refusalOf } from "../checks.ts";

const bodyFields = names(
  "model messages max_tokens system tools tool_choice stream temperature top_p top_k stop_sequences metadata thinking output_config service_tier cache_control",
);

/** Fields of each kind of content block. */
const blockFields: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["text", names("type text cache_control citations")],
  ["image", names("type source cache_control")],
  ["thinking", names("type thinking signature")],
  ["redacted_thinking", names("type data")],
  ["tool_use", names("type id name input cache_control")],
  ["tool_result", names("type tool_use_id content is_error cache_control")],
]);

const toolFields = names(
  "name description input_schema cache_control strict type eager_input_streaming input_examples",
);
const maxMarks = 4;

/** Refuses what the Messages API refuses. `signatures` has the text that each signature was given for. */
export function checkAnthropic(body: Fields, signatures: ReadonlyMap<string, string>): Refusal | undefined {
  return refusalOf(() => {
    onlyKnown(body, bodyFields, (key) => [`${key}: Extra inputs are not permitted`, key]);
    insist(asText(body.model) !== "", "model: Field required");
    const { max_tokens: limit } = body;
    insist(limit !== undefined, "max_tokens: Field required");
    insist(typeof limit === "number" && limit > 0, "max_tokens: Input should be greater than or equal to 1");
    checkThinking(body, limit);
    checkTools(body);
    checkMessages(asList(body.messages), signatures);
    const marks = countMarks(body);
    insist(marks <= maxMarks, `A maximum of ${maxMarks} blocks with cache_control may be provided. Found ${marks}.`);
    const calls = /"type":"tool_(?:use|result)"/.test(JSON.stringify(body.messages));
    insist(
      !calls || asList(body.tools).length > 0,
      "Requests which include `tool_use` or `tool_result` blocks must define tools",
    );
  });
}

function checkThinking({ thinking, tool_choice: choice, temperature }: Fields, limit: number): void {
  const { type, budget_tokens: budget } = asFields(thinking);
  if (type !== "enabled" && type !== "adaptive") return;
  if (type === "enabled") {
    insist(
      typeof budget === "number" && budget >= 1024,
      "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
    );
    insist(budget < limit, "`max_tokens` must be greater than `thinking.budget_tokens`");
  }
  const forced = ["any", "tool"].includes(asText(asFields(choice).type));
  insist(!forced, "Thinking may not be enabled when tool_choice forces tool use.");
  insist(
    temperature === undefined || temperature === 1,
    "`temperature` may only be set to 1 when thinking is enabled.",
  );
}

function checkTools({ tools, tool_choice: choice }: Fields): void {
  const seen = new Set<string>();
  for (const [index, tool] of asList(tools).entries()) {
    const at = `tools.${index}.custom`;
    const name = asText(tool.name);
    insist(
      tool.type === undefined || tool.type === "custom",
      `tools.${index}: Input tag '${String(tool.type)}' found using 'type' does not match any of the expected tags`,
    );
    onlyKnown(tool, toolFields, (key) => [`${at}.${key}: Extra inputs are not permitted`, key]);
    insist(/^[a-zA-Z0-9_-]{1,128}$/.test(name), `${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    insist(!seen.has(name), "tools: Tool names must be unique.");
    seen.add(name);
    insist(asFields(tool.input_schema).type === "object", `${at}.input_schema.type: Field required`);
  }
  insist(choice === undefined || seen.size > 0, "tool_choice may only be specified while providing tools.");
}

function checkMessages(messages: readonly Fields[], signatures: ReadonlyMap<string, string>): void {
  insist(messages.length > 0, "messages: at least one message is required");
  insist(messages[0]?.role === "user", 'messages: first message must use the "user" role');
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `messages.${index}`;
    onlyKnown(message, names("role content"), (key) => [`${at}.${key}: Extra inputs are not permitted`, key]);
    const { role, content } = message;
    insist(role === "user" || role === "assistant", `${at}.role: Input should be 'user' or 'assistant'`);
    const blocks: Fields[] = typeof content === "string" ? [{ type: "text", text: content }] : asList(content);
    insist(blocks.length > 0, `${at}: all messages must have non-empty content`);
    for (const [place, block] of blocks.entries()) checkBlock(block, `${at}.content.${place}`, signatures);
    const isLast = index === messages.length - 1;
    const last = asText(blocks.at(-1)?.text);
    const isTrimmed = role === "user" || !isLast || last === last.trimEnd();
    insist(isTrimmed, "messages: final assistant content cannot end with trailing whitespace");
    checkResults(blocks, open, at);
    open = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => asText(id));
    insist(
      role === "assistant" || open.length === 0,
      `${at}: \`tool_use\` blocks can only be in \`assistant\` messages`,
    );
  }
  insist(open.length === 0, unanswered(open, `messages.${messages.length - 1}`));
}

/** The results of the calls before come first, one for each. */
function checkResults(blocks: readonly Fields[], open: readonly string[], at: string): void {
  const results = blocks.filter(({ type }) => type === "tool_result").map((block) => asText(block.tool_use_id));
  const stray = results.find((id) => !open.includes(id));
  insist(
    stray === undefined,
    `${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
  );
  const missing = open.filter((id) => !results.includes(id));
  insist(missing.length === 0, unanswered(missing, at));
  const first = blocks.slice(0, results.length).every(({ type }) => type === "tool_result");
  insist(first, `${at}: \`tool_result\` blocks must come before other content`);
}

function unanswered(ids: readonly string[], at: string): string {
  return `${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

function checkBlock(block: Fields, at: string, signatures: ReadonlyMap<string, string>): void {
  const type = asText(block.type);
  const known = blockFields.get(type);
  insist(known !== undefined, `${at}: Input tag '${type}' found using 'type' does not match any of the expected tags`);
  onlyKnown(block, known, (key) => [`${at}.${type}.${key}: Extra inputs are not permitted`, key]);
  if (type === "text")
    insist(asText(block.text).trim() !== "", "messages: text content blocks must contain non-whitespace text");
  if (type === "thinking") {
    const isOurs = signatures.get(asText(block.signature)) === block.thinking;
    insist(isOurs, `${at}: Invalid \`signature\` in \`thinking\` block`);
  }
  if (type === "redacted_thinking")
    insist(signatures.has(asText(block.data)), `${at}: Invalid \`data\` in \`redacted_thinking\` block`);
  if (type === "tool_use") {
    const isObject = typeof block.input === "object" && block.input !== null && !Array.isArray(block.input);
    insist(isObject, `${at}.tool_use.input: Input should be a valid dictionary`);
    insist(
      /^[a-zA-Z0-9_-]{1,128}$/.test(asText(block.name)),
      `${at}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`,
    );
    insist(
      /^[a-zA-Z0-9_-]+$/.test(asText(block.id)),
      `${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
    );
  }
  if (type === "image") {
    const { type: kind, media_type: media } = asFields(block.source);
    const isImage = kind === "url" || (kind === "base64" && /^image\/(png|jpeg|gif|webp)$/.test(asText(media)));
    insist(isImage, `${at}.image.source: Invalid image`);
  }
  if (type === "tool_result")
    for (const inner of asList(block.content)) checkBlock(inner, `${at}.tool_result.content`, signatures);
}

function countMarks(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = "cache_control" in value && value.cache_control ? 1 : 0;
  return Object.values(value).reduce((sum: number, inner) => sum + countMarks(inner), own);
}
