/** Arguments of the tool `codex`, as MCP clients see them. */
const codexInput = {
  type: "object",
  properties: {
    prompt: { type: "string", description: "What the agent shall do." },
    cwd: { type: "string", description: "The folder to work in. Default: that of this server." },
    model: { type: "string", description: "The model to use." },
    sandbox: {
      type: "string",
      enum: ["read-only", "workspace-write", "danger-full-access"],
      description: "What commands may touch.",
    },
    "approval-policy": {
      type: "string",
      enum: ["untrusted", "on-failure", "on-request", "never"],
      description: "When to ask before a command runs.",
    },
    profile: { type: "string", description: "A profile of config.toml." },
    config: { type: "object", additionalProperties: true, description: "Values that override config.toml." },
    "base-instructions": { type: "string", description: "Instructions in place of the built-in ones." },
    "developer-instructions": { type: "string", description: "Instructions in addition to the built-in ones." },
    "compact-prompt": { type: "string", description: "The prompt by which a long thread is summarised." },
  },
  required: ["prompt"],
} as const;

const replyInput = {
  type: "object",
  properties: {
    threadId: { type: "string", description: "The thread to continue." },
    conversationId: { type: "string", description: "The same, as older clients name it." },
    prompt: { type: "string", description: "What the agent shall do next." },
  },
  required: ["prompt"],
} as const;

const outputSchema = {
  type: "object",
  properties: { threadId: { type: "string" }, content: { type: "string" } },
  required: ["threadId", "content"],
} as const;

/** The tools of the MCP server. */
export const tools = [
  {
    name: "codex",
    title: "Codex",
    description: "Has a coding agent work on a prompt, in a new thread.",
    inputSchema: codexInput,
    outputSchema,
  },
  {
    name: "codex-reply",
    title: "Codex Reply",
    description: "Continues a thread of the coding agent, by its id.",
    inputSchema: replyInput,
    outputSchema,
  },
] as const;

/** Arguments that are texts where the schema wants texts; throws the client's error otherwise. */
export function textArguments(tool: string, given: unknown): Readonly<Record<string, string | undefined>> {
  const args = typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
  const texts = Object.entries(args).filter(
    ([name, value]) => name !== "config" && value !== null && value !== undefined,
  );
  const wrong = texts.find(([, value]) => typeof value !== "string");
  if (wrong) throw new Error(`Failed to parse arguments of ${tool}: '${wrong[0]}' has to be a string`);
  if (typeof args.prompt !== "string") throw new Error(`Failed to parse arguments of ${tool}: 'prompt' is required`);
  return Object.fromEntries(texts) as Record<string, string>;
}
