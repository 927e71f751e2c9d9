import type { FunctionCallOutputBody, ResponseItem } from "@quire/protocol";

/** Characters of a transcript: of what users said, and of the rest. */
const userRoom = 40_000;
const otherRoom = 40_000;
/** Characters of one entry, of a user and of others. */
const maxUserEntry = 10_000;
const maxEntry = 3000;

/** The history as text for a reviewer. User messages have precedence when there is not room for all. */
export function transcriptOf(history: readonly ResponseItem[]): string {
  const room = { user: userRoom, other: otherRoom };
  const kept: string[] = [];
  let left = 0;
  for (const item of history.toReversed()) {
    const entry = describe(item);
    if (!entry) continue;
    const kind = entry.who === "user" ? "user" : "other";
    const text = `[${entry.who}] ${cut(entry.text, kind === "user" ? maxUserEntry : maxEntry)}`;
    if (room[kind] < text.length) {
      left += 1;
      continue;
    }
    room[kind] -= text.length;
    kept.unshift(text);
  }
  const missing = left > 0 ? [`(${left} older entries are left out)`] : [];
  return [...missing, ...kept].join("\n");
}

interface Entry {
  readonly who: string;
  readonly text: string;
}

function describe(item: ResponseItem): Entry | undefined {
  switch (item.type) {
    case "message": {
      if (item.role !== "user" && item.role !== "assistant" && item.role !== "developer") return undefined;
      const text = item.content.map((part) => ("text" in part ? part.text : `(${part.type})`)).join("\n");
      return { who: item.role, text };
    }
    case "function_call":
      return { who: `call ${item.name}`, text: item.arguments };
    case "custom_tool_call":
      return { who: `call ${item.name}`, text: item.input };
    case "function_call_output":
    case "custom_tool_call_output":
      return { who: "result", text: outputText(item.output) };
    default:
      return undefined;
  }
}

function outputText(output: FunctionCallOutputBody): string {
  if (typeof output === "string") return output;
  return output.map((part) => ("text" in part ? String(part.text) : `(${part.type})`)).join("\n");
}

/** Beginning and end say most. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)} … (${text.length - most} characters) … ${text.slice(-half)}`;
}
