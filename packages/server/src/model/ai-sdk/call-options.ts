import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { isTable, type Table } from "../../lib/table.ts";
import type { ModelRequest } from "../model-provider.ts";
import type { PlainTools } from "../plain/plain-tools.ts";
import { withCacheMarks } from "./cache-marks.ts";
import { toPrompt } from "./prompt.ts";
import type { RefusedPart } from "./refused-parts.ts";

/** The ways in which wires differ beyond what the AI SDK evens out. */
export interface WireTraits {
  /** True where reasoning comes as a summary for people. */
  readonly summarizes: boolean;
  /** True where the output of a tool may hold images. */
  readonly imagesInOutputs: boolean;
  /** True where a cache begins to work by marks, and texts are blocks of their own. */
  readonly marksCache: boolean;
  /** True where no user may speak right after a tool. */
  readonly alternates?: boolean | undefined;
  /** True where the history may hold no reasoning. */
  readonly forgetsReasoning?: boolean | undefined;
  /** True where the id of a call has nine letters and digits, and no other form. */
  readonly shortIds?: boolean | undefined;
  /** The bound of an answer, where the wire needs one that its package does not know. */
  readonly maxOutputTokens?: number | undefined;
  /** True for a model that takes no schema of its answer: the answer is then the arguments of a function. */
  readonly answersByTool?: boolean | undefined;
}

/** The traits of a model that refuses some parts of requests. */
export function traitsWithout(traits: WireTraits, refused: ReadonlySet<RefusedPart>): WireTraits {
  return {
    ...traits,
    answersByTool: refused.has("schema"),
    alternates: refused.has("order"),
    forgetsReasoning: refused.has("reasoning"),
    shortIds: refused.has("ids"),
  };
}

/** The function whose arguments are the answer. */
export const answerTool = "final_answer";

/** Efforts that the AI SDK knows. */
const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** A request in the terms of the AI SDK. */
export function callOptions(
  request: ModelRequest,
  tools: PlainTools,
  { provider, traits }: { readonly provider: string; readonly traits: WireTraits },
): LanguageModelV4CallOptions {
  const { marksCache, answersByTool } = traits;
  const most = Math.min(request.maxOutputTokens ?? Infinity, traits.maxOutputTokens ?? Infinity);
  const prompt = toPrompt(request.input, { ...traits, provider, tools, joinsTexts: !marksCache });
  const effort = efforts.find((each) => each === request.effort);
  const schema = isTable(request.outputSchema) ? request.outputSchema : undefined;
  const answer = answersByTool && schema ? [toolOfAnswer(schema)] : [];
  const offered = [...functionTools(tools), ...answer];
  return {
    prompt: marksCache ? withCacheMarks(prompt) : prompt,
    ...(offered.length > 0 && {
      tools: offered,
      toolChoice: { type: answer.length > 0 ? "required" : (request.toolChoice ?? "auto") },
    }),
    ...(effort && { reasoning: effort }),
    ...(schema && answer.length === 0 && { responseFormat: { type: "json", name: "codex_output_schema", schema } }),
    ...(most < Infinity && { maxOutputTokens: most }),
  };
}

function toolOfAnswer(schema: Table): LanguageModelV4FunctionTool {
  const description = "Gives the final answer, in the shape that was asked for. Call it last, and only once.";
  return { type: "function", name: answerTool, description, inputSchema: schema };
}

function functionTools({ functions }: PlainTools): LanguageModelV4FunctionTool[] {
  return functions.map(({ name, description, parameters }) => ({
    type: "function",
    name,
    description,
    inputSchema: parameters,
  }));
}
