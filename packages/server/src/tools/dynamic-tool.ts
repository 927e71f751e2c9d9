import type {
  DynamicToolCallOutputContentItem,
  DynamicToolCallThreadItem,
  FunctionCallOutputBody,
  FunctionCallOutputContentItem,
  FunctionDynamicToolSpec,
} from "@quire/protocol";
import type { ToolContext } from "../approval/tool-context.ts";
import { parseJson } from "../lib/bounded-json.ts";
import { errorMessage } from "../lib/error-message.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import type { ToolCall } from "../record/tool-call.ts";
import { dataUrlBytes, imageUrl, omittedImage } from "../run/helpers/images.ts";
import { badArguments } from "./arguments.ts";
import type { Tool } from "./tool.ts";
import { cutTogether, type OutputLimit } from "./truncate-output.ts";

/** The limit of an output for a model. */
export type LimitFor = (model: string) => OutputLimit;

/** A tool that a client brought along and answers itself. */
export function dynamicTool(given: FunctionDynamicToolSpec, namespace: string | null, limitFor: LimitFor): Tool {
  return {
    spec: functionSpec(given),
    name: given.name,
    namespace,
    run: (call, context) => run(call, context, limitFor(context.settings.model)),
  };
}

function functionSpec({ name, description, inputSchema }: FunctionDynamicToolSpec): ToolSpec {
  return { type: "function", name, description, strict: false, parameters: inputSchema };
}

/** The result of a call, for the item and the model. */
interface Outcome {
  readonly contentItems: DynamicToolCallOutputContentItem[];
  readonly success: boolean;
  /** The output for the model when it differs from the content. */
  readonly failure?: string;
}

async function run(call: ToolCall, context: ToolContext, limit: OutputLimit): Promise<FunctionCallOutputBody> {
  const item: DynamicToolCallThreadItem = {
    type: "dynamicToolCall",
    id: call.callId,
    namespace: call.namespace,
    tool: call.name,
    arguments: parse(call.arguments),
    status: "inProgress",
    contentItems: null,
    success: null,
    durationMs: null,
    startedAtMs: Date.now(),
  };
  const startedAt = performance.now();
  context.startItem(item);
  const { contentItems, success, failure } = await ask(call, item.arguments, context);
  const durationMs = Math.round(performance.now() - startedAt);
  context.completeItem({ ...item, status: success ? "completed" : "failed", contentItems, success, durationMs });
  return failure ?? (await toModel(fitted(contentItems, limit)));
}

async function ask(call: ToolCall, args: unknown, context: ToolContext): Promise<Outcome> {
  const { callId, namespace, name: tool } = call;
  let answer: unknown;
  try {
    answer = await context.ask("item/tool/call", { callId, namespace, tool, arguments: args });
  } catch {
    if (!context.signal.aborted) return failure("dynamic tool request failed");
    return { contentItems: [], success: false, failure: "dynamic tool call was cancelled before receiving a response" };
  }
  if (!isResponse(answer)) return failure("dynamic tool response was invalid");
  const isRemote = answer.contentItems.some((item) => item.type === "inputImage" && /^https?:/i.test(item.imageUrl));
  return isRemote ? failure("remote image URLs are not supported; use an inline data URL instead") : answer;
}

function failure(text: string): Outcome {
  return { contentItems: [{ type: "inputText", text }], success: false };
}

function isResponse(answer: unknown): answer is Outcome {
  const { contentItems, success } = (answer ?? {}) as Record<string, unknown>;
  return typeof success === "boolean" && Array.isArray(contentItems) && contentItems.every(isContent);
}

function isContent(item: unknown): item is DynamicToolCallOutputContentItem {
  const { type, text, imageUrl, audioUrl } = (item ?? {}) as Record<string, unknown>;
  if (type === "inputText") return typeof text === "string";
  if (type === "inputImage") return typeof imageUrl === "string";
  return type === "inputAudio" && typeof audioUrl === "string";
}

/** The items cut to the model's limit: the complete text stays in the history. */
function fitted(
  items: readonly DynamicToolCallOutputContentItem[],
  limit: OutputLimit,
): DynamicToolCallOutputContentItem[] {
  const texts = items.flatMap((item) => (item.type === "inputText" ? [item.text] : []));
  const cut = cutTogether(texts, limit);
  const omitted = cut.filter((text) => text === undefined).length;
  const kept = items.flatMap((item): DynamicToolCallOutputContentItem[] => {
    if (item.type !== "inputText") return [item];
    const text = cut.shift();
    return text === undefined ? [] : [{ ...item, text }];
  });
  return omitted === 0 ? kept : [...kept, { type: "inputText", text: `[omitted ${omitted} text items ...]` }];
}

/** A single text is passed as it is; models read that best. */
async function toModel(items: readonly DynamicToolCallOutputContentItem[]): Promise<FunctionCallOutputBody> {
  const [only] = items;
  if (items.length === 1 && only?.type === "inputText") return only.text;
  return Promise.all(items.map(toContent));
}

async function toContent(item: DynamicToolCallOutputContentItem): Promise<FunctionCallOutputContentItem> {
  if (item.type === "inputText") return { type: "input_text", text: item.text };
  if (item.type === "inputAudio") return { type: "input_audio", audio_url: item.audioUrl };
  const bytes = dataUrlBytes(item.imageUrl);
  // One broken image would fail this request and every later one of the thread.
  const url = bytes && (await imageUrl(bytes));
  if (url) return { type: "input_image", image_url: url, detail: "high" };
  return { type: "input_text", text: omittedImage };
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw badArguments(errorMessage(error));
  }
}
