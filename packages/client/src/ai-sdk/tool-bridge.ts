import type { LanguageModelV3FunctionTool, LanguageModelV3ToolResultPart } from "@ai-sdk/provider";
import { type Tool, tool } from "../tools/tool.ts";
import type { ToolPart } from "../tools/tool-output.ts";
import { isSuccess, outputParts, outputText } from "./prompt/tool-output.ts";

/** A call of a tool that the AI SDK runs. */
export interface BridgedCall {
  readonly callId: string;
  readonly toolName: string;
  readonly input: unknown;
}

interface Waiting {
  resolve(result: ToolPart[]): void;
  reject(error: Error): void;
}

/**
 * Tools of the AI SDK as tools of a thread. A call of the server waits here, and the turn with it, until the AI SDK has
 * run the tool and calls the model again with the result.
 */
export class ToolBridge {
  /** For the thread. */
  readonly tools: readonly Tool[];
  /** Hears of each call. Set by the turn that the bridge belongs to. */
  onCall: (call: BridgedCall) => void = () => undefined;
  readonly #waiting = new Map<string, Waiting>();

  constructor(tools: readonly LanguageModelV3FunctionTool[]) {
    this.tools = tools.map((each) => this.#toTool(each));
  }

  /** The calls that wait for a result. */
  get waiting(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  /** Answers a call. The model sees an error of the tool as such. */
  answer(callId: string, { output }: Pick<LanguageModelV3ToolResultPart, "output">): void {
    const waiting = this.#waiting.get(callId);
    this.#waiting.delete(callId);
    if (isSuccess(output)) waiting?.resolve(outputParts(output));
    else waiting?.reject(new Error(outputText(output)));
  }

  /** Fails calls, all of them or these; the model reads why. */
  fail(message: string, callIds: Iterable<string> = this.waiting): void {
    for (const callId of callIds) this.answer(callId, { output: { type: "error-text", value: message } });
  }

  #toTool({ name, description = "", inputSchema }: LanguageModelV3FunctionTool): Tool {
    const asGiven = () => inputSchema as Record<string, unknown>;
    return tool({
      name,
      description,
      // The AI SDK checks the input itself, and may have it repaired.
      input: {
        "~standard": {
          version: 1,
          vendor: "ai-sdk",
          validate: (value: unknown) => ({ value }),
          jsonSchema: { input: asGiven, output: asGiven },
        },
      },
      run: (input, { callId, signal }) =>
        new Promise<ToolPart[]>((resolve, reject) => {
          const id = this.#freeId(callId);
          this.#waiting.set(id, { resolve, reject });
          signal.addEventListener("abort", () => this.#waiting.delete(id), { once: true });
          this.onCall({ callId: id, toolName: name, input });
        }),
    });
  }

  /** Ids are the model's, and not every model takes care that they differ. */
  #freeId(callId: string): string {
    let id = callId;
    for (let n = 2; this.#waiting.has(id); n++) id = `${callId}-${n}`;
    return id;
  }
}
