import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import type { FunctionCallOutputBody, MessageResponseItem, ReasoningResponseItem, ResponseItem } from "@quire/protocol";
import { type PlainCall, type PlainTools, plainOutput } from "../plain/plain-tools.ts";
import { unsealed } from "../private-content.ts";
import { legalId, shortId } from "./call-ids.ts";
import { callInput } from "./call-input.ts";
import { type ContentPart, contentParts, isImage } from "./content-parts.ts";

type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];
type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];
type ToolPart = Extract<LanguageModelV4Message, { role: "tool" }>["content"][number];

/** The way in which a provider wants its prompt. */
export interface PromptOptions {
  /** The provider's id: content that only it can read goes back to no other. */
  readonly provider: string;
  readonly tools: PlainTools;
  /** True where the output of a tool may hold images. Elsewhere they follow in a message. */
  readonly imagesInOutputs: boolean;
  /**
   * True where the texts of a user's message are one: many servers take no list of them, and a message that becomes one
   * would change what they have cached. Elsewhere each is a block, which a cache knows by itself.
   */
  readonly joinsTexts: boolean;
  /** True where no user may speak right after a tool. */
  readonly alternates?: boolean | undefined;
  /** True where the history may hold no reasoning. */
  readonly forgetsReasoning?: boolean | undefined;
  /** True where the id of a call has nine letters and digits, and no other form. */
  readonly shortIds?: boolean | undefined;
}

/** The history as a prompt of the AI SDK: instructions, then messages of alternating roles, each call with its output. */
export function toPrompt(input: readonly ResponseItem[], options: PromptOptions): LanguageModelV4Prompt {
  const builder = new PromptBuilder(options);
  for (const item of input) builder.add(item);
  return builder.end();
}

class PromptBuilder {
  readonly #options: PromptOptions;
  readonly #instructions: string[] = [];
  readonly #messages: LanguageModelV4Message[] = [];
  /** Names of calls without an output yet. */
  readonly #open = new Map<string, string>();
  /** Input that came between calls and their outputs, where no provider takes it. */
  readonly #waiting: UserPart[] = [];

  constructor(options: PromptOptions) {
    this.#options = options;
  }

  add(item: ResponseItem): void {
    const output = plainOutput(item);
    const call = this.#options.tools.callOf(item);
    if (output) this.#output(output.callId, output.output);
    else if (call) this.#call(call, "encrypted_content" in item ? item.encrypted_content : undefined);
    else if (item.type === "message") this.#message(item);
    else if (item.type === "reasoning") this.#reasoning(item);
    else if (item.type === "agent_message") this.#user(contentParts(item.content));
  }

  end(): LanguageModelV4Prompt {
    this.#answerAll();
    const [first] = this.#messages;
    const last = this.#messages.at(-1);
    // Both ends belong to the user: providers refuse any other role there, or complete the model's words.
    if (first?.role === "assistant") this.#messages.unshift(userText("(The conversation goes on.)"));
    if (last === undefined || last.role === "assistant") this.#messages.push(userText("Continue."));
    const system = this.#instructions.join("\n\n");
    return system === "" ? this.#messages : [{ role: "system", content: system }, ...this.#messages];
  }

  #message({ role, content, encrypted_content: secret }: MessageResponseItem): void {
    const parts = contentParts(content);
    if (role === "assistant") {
      const providerOptions = unsealed(this.#options.provider, secret);
      const said = parts.filter((part) => part.type === "text");
      this.#assistant(said.map((part) => ({ ...part, ...(providerOptions && { providerOptions }) })));
    } else if (role === "developer" || role === "system") {
      this.#instruct(parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
    } else this.#user(parts);
  }

  /** Later instructions stay in their place: at the head they would change what the provider has cached. */
  #instruct(texts: readonly string[]): void {
    if (this.#messages.length === 0) this.#instructions.push(...texts);
    else this.#user(texts.map((text) => ({ type: "text", text: `<developer>\n${text}\n</developer>` })));
  }

  #reasoning({ summary, content, encrypted_content: secret }: ReasoningResponseItem): void {
    const providerOptions = unsealed(this.#options.provider, secret);
    if (!providerOptions || this.#options.forgetsReasoning) return;
    const texts = content && content.length > 0 ? content : summary;
    this.#assistant([{ type: "reasoning", text: texts.map(({ text }) => text).join("\n\n"), providerOptions }]);
  }

  #call(call: PlainCall, secret: string | null | undefined): void {
    const { callId, name } = call;
    const toolCallId = this.#id(callId);
    if (this.#isWithoutTools) {
      this.#assistant([{ type: "text", text: `(I called ${name} with ${call.arguments})` }]);
      return;
    }
    const providerOptions = unsealed(this.#options.provider, secret);
    this.#assistant([
      {
        type: "tool-call",
        toolCallId,
        toolName: name,
        input: callInput(call.arguments),
        ...(providerOptions && { providerOptions }),
      },
    ]);
    this.#open.set(toolCallId, name);
  }

  #output(callId: string, output: FunctionCallOutputBody): void {
    const toolCallId = this.#id(callId);
    const toolName = this.#open.get(toolCallId);
    const parts = typeof output === "string" ? [{ type: "text" as const, text: output }] : contentParts(output);
    if (toolName === undefined) {
      this.#user([{ type: "text", text: "(The output of a tool:)" }, ...parts]);
      return;
    }
    const images = parts.filter(isImage);
    const moved = images.length > 0 && !this.#options.imagesInOutputs;
    this.#result({ type: "tool-result", toolCallId, toolName, output: resultOutput(parts, moved) });
    if (moved) this.#waiting.push({ type: "text", text: `(Images in the output of ${toolName}:)` }, ...images);
    this.#open.delete(toolCallId);
    if (this.#open.size === 0) this.#user(this.#waiting.splice(0));
  }

  #id(callId: string): string {
    return this.#options.shortIds ? shortId(callId) : legalId(callId);
  }

  /** Without tools on offer, providers refuse calls in the history: they become text. */
  get #isWithoutTools(): boolean {
    return this.#options.tools.functions.length === 0;
  }

  #answerAll(): void {
    for (const callId of this.#open.keys()) this.#output(callId, "aborted");
  }

  #user(parts: readonly UserPart[]): void {
    if (parts.length === 0) return;
    if (this.#open.size > 0) {
      this.#waiting.push(...parts);
      return;
    }
    if (this.#options.alternates && this.#messages.at(-1)?.role === "tool") this.#assistant([noted]);
    const last = this.#messages.at(-1);
    const content = last?.role === "user" ? last.content : [];
    if (last?.role !== "user") this.#messages.push({ role: "user", content });
    for (const part of parts) this.#addTo(content, part);
  }

  #addTo(content: UserPart[], part: UserPart): void {
    const before = content.at(-1);
    if (this.#options.joinsTexts && part.type === "text" && before?.type === "text")
      content[content.length - 1] = { ...before, text: `${before.text}\n\n${part.text}` };
    else content.push(part);
  }

  #assistant(parts: readonly AssistantPart[]): void {
    if (parts.length === 0) return;
    const last = this.#messages.at(-1);
    if (last?.role === "assistant") {
      last.content.push(...parts);
      return;
    }
    this.#answerAll();
    this.#messages.push({ role: "assistant", content: [...parts] });
  }

  #result(part: ToolPart): void {
    const last = this.#messages.at(-1);
    if (last?.role === "tool") last.content.push(part);
    else this.#messages.push({ role: "tool", content: [part] });
  }
}

/** The model's words between a tool and a user, where providers insist on some. */
const noted: LanguageModelV4TextPart = { type: "text", text: "(Noted.)" };

function resultOutput(parts: readonly ContentPart[], moved: boolean): LanguageModelV4ToolResultOutput {
  const texts = parts.filter((part) => part.type === "text");
  if (moved || texts.length === parts.length) {
    const text = texts.map(({ text }) => text).join("\n");
    return { type: "text", value: text || (moved ? "(images, in the next message)" : "(no output)") };
  }
  return { type: "content", value: [...parts] };
}

const userText = (text: string): LanguageModelV4Message => ({
  role: "user",
  content: [{ type: "text", text } satisfies LanguageModelV4TextPart],
});
