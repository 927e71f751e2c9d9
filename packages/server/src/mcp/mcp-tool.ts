import type {
  FunctionCallOutputBody,
  FunctionCallOutputContentItem,
  McpToolCallResult,
  McpToolCallThreadItem,
} from "@quire/protocol";
import type { ToolContext } from "../approval/tool-context.ts";
import { parseJson } from "../lib/bounded-json.ts";
import { errorMessage } from "../lib/error-message.ts";
import { isTable, type Table } from "../lib/table.ts";
import type { ToolCall } from "../record/tool-call.ts";
import { dataUrlBytes, imageUrl, omittedImage } from "../run/helpers/images.ts";
import { badArguments } from "../tools/arguments.ts";
import type { Tool } from "../tools/tool.ts";
import { type OutputLimit, truncateOutput } from "../tools/truncate-output.ts";
import { type McpServer, ServerAnswer } from "./mcp-server.ts";
import type { ServerTool } from "./server-tools.ts";
import { type ApprovalMemory, refusal, toolKey } from "./tool-approval.ts";

/** Minimum interval between progress notifications. */
const progressGapMs = 100;

/** Options of {@link mcpTool}. */
export interface McpToolOptions {
  readonly server: McpServer;
  readonly tool: ServerTool;
  readonly namespace: string;
  readonly name: string;
  readonly memory: ApprovalMemory;
  readonly limit: OutputLimit;
}

/** A tool of an MCP server. */
export function mcpTool(options: McpToolOptions): Tool {
  return {
    spec: undefined,
    name: options.name,
    namespace: options.namespace,
    run: (call, context) => run(options, call, context),
  };
}

type Outcome = { readonly result: McpToolCallResult; readonly isError: boolean } | { readonly error: string };

async function run(options: McpToolOptions, call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
  const { server, tool } = options;
  const item: McpToolCallThreadItem = {
    type: "mcpToolCall",
    id: call.callId,
    server: server.config.name,
    tool: tool.name,
    status: "inProgress",
    arguments: parse(call.arguments),
    appContext: null,
    mcpAppUi: null,
    pluginId: server.config.pluginId ?? null,
    readOnlyHint: typeof tool.annotations.readOnlyHint === "boolean" ? tool.annotations.readOnlyHint : null,
    result: null,
    error: null,
    durationMs: null,
    startedAtMs: Date.now(),
  };
  const askedAt = performance.now();
  context.startItem(item);
  let calledAt = askedAt;
  let outcome: Outcome;
  try {
    const refused = await refusal({ config: server.config, tool, item }, context, options.memory);
    calledAt = performance.now();
    const problem = refused ?? changed(options);
    outcome = problem === undefined ? await send(options, item, context) : { error: problem };
  } catch (error) {
    outcome = { error: context.signal.aborted ? "aborted by user" : describe(error) };
  }
  const durationMs = Math.round(performance.now() - calledAt);
  if ("error" in outcome)
    context.completeItem({ ...item, status: "failed", error: { message: outcome.error }, durationMs });
  else
    context.completeItem({
      ...item,
      status: outcome.isError ? "failed" : "completed",
      result: outcome.result,
      durationMs,
    });
  const seconds = ((performance.now() - askedAt) / 1000).toFixed(4);
  return toModel(`Wall time: ${seconds} seconds\nOutput:`, outcome, options.limit);
}

/** The reason to refuse an approved call: a server may change its tool during the question. */
function changed({ server, tool }: McpToolOptions): string | undefined {
  const now = server.tools.find(({ name }) => name === tool.name);
  if (now === tool || now === undefined || toolKey(server.config, now) === toolKey(server.config, tool))
    return undefined;
  return `the tool ${tool.name} has changed since it was offered; look at it again`;
}

async function send(
  { server, tool }: McpToolOptions,
  item: McpToolCallThreadItem,
  context: ToolContext,
): Promise<Outcome> {
  const { threadId, turnId, settings } = context;
  const turn = { session_id: threadId, thread_id: threadId, turn_id: turnId, model: settings.model };
  const params = {
    name: tool.name,
    ...(isTable(item.arguments) && { arguments: item.arguments }),
    _meta: { callId: item.id, threadId, sessionId: threadId, "x-codex-turn-metadata": turn },
  };
  let notifiedAt = Number.NEGATIVE_INFINITY;
  const onProgress = (message: string) => {
    if (performance.now() - notifiedAt < progressGapMs) return;
    notifiedAt = performance.now();
    context.notify("item/mcpToolCall/progress", { itemId: item.id, message: message.slice(0, 1000) });
  };
  try {
    return toOutcome(await server.request("tools/call", params, { signal: context.signal, onProgress }));
  } catch (error) {
    if (context.signal.aborted) throw error;
    return {
      error: `tool call error: tool call failed for \`${server.config.name}/${tool.name}\`\n\nCaused by:\n    ${describe(error)}`,
    };
  }
}

function toOutcome(answer: Table): Outcome {
  const { content, structuredContent, isError, _meta } = answer;
  // Some servers leave out the content where there is structured content.
  if (content !== undefined && !Array.isArray(content))
    return { error: "tool call error: the result's content is no list" };
  return {
    result: { content: content ?? [], structuredContent: structuredContent ?? null, _meta: _meta ?? null },
    isError: isError === true,
  };
}

/** The output for the model. Structured content says the same as the text beside it, and better. */
async function toModel(head: string, outcome: Outcome, limit: OutputLimit): Promise<FunctionCallOutputBody> {
  if ("error" in outcome) return [text(head), text(outcome.error)];
  const { content, structuredContent } = outcome.result;
  if (structuredContent !== null && structuredContent !== undefined)
    return `${head}\n${cut(JSON.stringify(structuredContent), limit)}`;
  return [text(head), ...(await Promise.all(content.map((part) => toPart(part, limit))))];
}

async function toPart(part: unknown, limit: OutputLimit): Promise<FunctionCallOutputContentItem> {
  if (!isTable(part)) return text(cut(JSON.stringify(part) ?? "null", limit));
  if (part.type === "text" && typeof part.text === "string") return text(cut(part.text, limit));
  if (part.type !== "image" || typeof part.data !== "string") return text(cut(JSON.stringify(part), limit));
  const url = part.data.startsWith("data:")
    ? part.data
    : `data:${String(part.mimeType ?? "image/png")};base64,${part.data}`;
  const bytes = dataUrlBytes(url);
  // One broken image would fail this request and every later one of the thread.
  const whole = bytes && (await imageUrl(bytes));
  return whole ? { type: "input_image", image_url: whole, detail: "high" } : text(omittedImage);
}

const text = (words: string): FunctionCallOutputContentItem => ({ type: "input_text", text: words });

/** A text as far as the model has room for it. */
export function cut(words: string, limit: OutputLimit): string {
  return truncateOutput({ text: words, totalBytes: Buffer.byteLength(words), omittedBytes: 0 }, limit);
}

/** An error as a message for the model and users. */
export function describe(error: unknown): string {
  if (error instanceof ServerAnswer) {
    const data = error.data === undefined ? "" : `(${JSON.stringify(error.data)})`;
    return `Mcp error: ${error.code}: ${error.message}${data}`;
  }
  return errorMessage(error);
}

function parse(given: string): unknown {
  if (given.trim() === "") return null;
  try {
    return parseJson(given);
  } catch (error) {
    throw badArguments(errorMessage(error));
  }
}
