import type { ContentItem, FunctionCallOutputBody, MessageResponseItem, ResponseItem } from "@quire/protocol";
import { type PlainTools, plainOutput } from "./plain-tools.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The input as any endpoint of the Responses API takes it: one system message, then users, assistants and functions.
 * Left out is what only the maker of an item can read.
 */
export function plainInput(input: readonly ResponseItem[], tools: PlainTools): Fields[] {
  const firstSaid = input.findIndex((item) => !isInstruction(item));
  const lead = firstSaid < 0 ? input : input.slice(0, firstSaid);
  const items = new PlainItems(tools);
  for (const item of input.slice(lead.length)) items.add(item);
  const instructions = lead.map((item) => (item.type === "message" ? textsOf(item).join("\n") : "")).join("\n\n");
  return [...(instructions === "" ? [] : [userMessage("system", [inputText(instructions)])]), ...items.end()];
}

function isInstruction(item: ResponseItem): boolean {
  return item.type === "message" && (item.role === "developer" || item.role === "system");
}

/** Collects items in an order that templates of open models accept. */
class PlainItems {
  readonly #tools: PlainTools;
  readonly #items: Fields[] = [];
  /** Calls without an output so far. */
  readonly #open = new Set<string>();
  /** Parts of a user's message that has to wait until all calls are answered. */
  #waiting: Fields[] = [];

  constructor(tools: PlainTools) {
    this.#tools = tools;
  }

  add(item: ResponseItem): void {
    const call = this.#tools.callOf(item);
    if (call) {
      this.#flush();
      this.#open.add(call.callId);
      const { callId, name, arguments: args } = call;
      this.#push({ type: "function_call", id: this.#id("fc"), call_id: callId, name, arguments: args });
      return;
    }
    const answer = plainOutput(item);
    // An output without its call is refused.
    if (answer && this.#open.delete(answer.callId)) this.#answer(answer.callId, answer.output);
    else if (item.type === "message") this.#message(item);
    else if (item.type === "agent_message") this.#waiting.push(inputText(agentText(item)));
    else if (item.type === "reasoning") this.#reasoning(item);
  }

  end(): Fields[] {
    this.#open.clear();
    this.#flush();
    return this.#items;
  }

  #message(item: MessageResponseItem): void {
    if (item.role === "assistant") {
      this.#flush();
      const text = textsOf(item).join("");
      const content = [{ type: "output_text", text, annotations: [] }];
      const { role } = item;
      if (text !== "") this.#push({ type: "message", id: this.#id("msg"), role, status: "completed", content });
    } else if (item.role === "user") this.#waiting.push(...item.content.map(plainPart));
    else this.#waiting.push(inputText(`<instructions>\n${textsOf(item).join("\n")}\n</instructions>`));
  }

  #answer(callId: string, output: FunctionCallOutputBody): void {
    const parts = typeof output === "string" ? [] : output;
    const texts = parts.flatMap((part) => (part.type === "input_text" ? [part.text] : []));
    const pictures = parts.filter((part) => part.type === "input_image").map(plainPart);
    const seen = pictures.length > 0 ? [...texts, "The picture follows."] : texts;
    const text = typeof output === "string" ? output : seen.join("\n");
    this.#push({ type: "function_call_output", call_id: callId, output: text });
    this.#waiting.push(...pictures);
  }

  /** Only text that can be read without its maker. */
  #reasoning({ content }: Extract<ResponseItem, { type: "reasoning" }>): void {
    const texts = (content ?? []).flatMap((part) => ("text" in part && part.text !== "" ? [part.text] : []));
    if (texts.length === 0) return;
    this.#flush();
    const thought = texts.map((text) => ({ type: "reasoning_text", text }));
    this.#push({ type: "reasoning", id: this.#id("rs"), summary: [], content: thought });
  }

  /** Adds what the user has said, as one message: some templates want users and assistants in turn. */
  #flush(): void {
    if (this.#open.size > 0 || this.#waiting.length === 0) return;
    this.#push(userMessage("user", this.#waiting));
    this.#waiting = [];
  }

  #push(item: Fields): void {
    this.#items.push(item);
  }

  /** Some endpoints want an id; nobody looks it up. */
  #id(kind: string): string {
    return `${kind}_${this.#items.length}`;
  }
}

function userMessage(role: "system" | "user", content: readonly Fields[]): Fields {
  return { type: "message", role, content };
}

function plainPart(part: ContentItem | { readonly type: string }): Fields {
  if ("text" in part) return inputText(part.text);
  if (part.type === "input_image" && "image_url" in part) return { type: "input_image", image_url: part.image_url };
  return inputText("[Left out: this provider takes no such input.]");
}

function agentText({ author, content }: Extract<ResponseItem, { type: "agent_message" }>): string {
  const texts = content.flatMap((part) => (part.type === "input_text" ? [part.text] : []));
  return `<agent_message>\nFrom ${author}:\n${texts.join("\n")}\n</agent_message>`;
}

function textsOf({ content }: MessageResponseItem): string[] {
  return content.flatMap((part) => ("text" in part && part.text !== "" ? [part.text] : []));
}

const inputText = (text: string): Fields => ({ type: "input_text", text });
