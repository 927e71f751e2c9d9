import type { FunctionCallOutputBody, MessageResponseItem, ResponseItem } from "@quire/protocol";

/** A call that the model made since the user last spoke, and what came of it. */
export interface DoneCall {
  readonly callId: string;
  readonly name: string;
  readonly input: string;
  readonly output: string | undefined;
}

/** The user's last message, and what has been done about it. */
export interface Exchange {
  readonly text: string;
  readonly images: number;
  readonly calls: readonly DoneCall[];
  /** Earlier messages of the user, oldest first. */
  readonly earlier: readonly string[];
}

/** Finds the last exchange in a request's input. */
export function lastExchange(input: readonly ResponseItem[]): Exchange {
  const spoken = input.flatMap((item, index) => (item.type === "message" && isSpoken(item) ? [{ item, index }] : []));
  const last = spoken.at(-1);
  if (!last) return { text: "", images: 0, calls: [], earlier: [] };
  return {
    text: spokenText(last.item),
    images: last.item.content.filter((part) => part.type === "input_image").length,
    calls: doneCalls(input.slice(last.index + 1)),
    earlier: spoken.slice(0, -1).map(({ item }) => spokenText(item)),
  };
}

/** The beginning of the offline model's notes, which come back as user messages. */
export const notesMark = "Notes by Quire's offline model.";

/** Context comes as user messages too; it is in tags or begins with a heading. */
function isSpoken(item: MessageResponseItem): boolean {
  if (item.role !== "user") return false;
  return item.content.some(
    (part) => part.type === "input_image" || (part.type === "input_text" && !isContext(part.text)),
  );
}

function isContext(text: string): boolean {
  if (text.includes(notesMark)) return true;
  return /^\s*<([A-Za-z_]+)[^>]*>[\s\S]*<\/\1>\s*$/.test(text) || text.startsWith("# AGENTS.md instructions");
}

function spokenText(item: MessageResponseItem): string {
  const parts = item.content.map((part) => (part.type === "input_text" && !isContext(part.text) ? part.text : ""));
  return parts.join("\n").trim();
}

function doneCalls(items: readonly ResponseItem[]): DoneCall[] {
  const outputs = new Map<string, string>();
  for (const item of items) {
    if (item.type === "function_call_output" || item.type === "custom_tool_call_output") {
      if (item.call_id) outputs.set(item.call_id, outputText(item.output));
    }
  }
  return items.flatMap((item) => {
    if (item.type !== "function_call" && item.type !== "custom_tool_call") return [];
    const input = item.type === "function_call" ? item.arguments : item.input;
    return [{ callId: item.call_id, name: item.name, input, output: outputs.get(item.call_id) }];
  });
}

function outputText(output: FunctionCallOutputBody): string {
  if (typeof output === "string") return output;
  return output.map((part) => ("text" in part ? part.text : `[${part.type}]`)).join("\n");
}
