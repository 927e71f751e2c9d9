import type { UserInput } from "@quire/protocol";
import { type ToolContext, ToolFailure } from "../../approval/tool-context.ts";
import type { Arguments } from "../../tools/arguments.ts";
import { modelPath } from "../../tools/model-access.ts";

/** A model's input for its agent. */
export function agentInput(args: Arguments, context: ToolContext): UserInput[] {
  const message = args.text("message");
  const items = args.list("items");
  if (message !== undefined && items !== undefined)
    throw new ToolFailure("Provide either message or items, but not both");
  if (message === undefined && items === undefined) throw new ToolFailure("Provide one of: message or items");
  if (message?.trim()) return [{ type: "text", text: message, text_elements: [] }];
  if (!items || items.length === 0) throw new ToolFailure("Empty message can't be sent to an agent");
  return items.map((item) => toInput(item, context));
}

type Item = Readonly<Record<string, unknown>>;

function toInput({ type, text, image_url, path, name }: Item, context: ToolContext): UserInput {
  if (type === "image") return { type: "image", url: String(image_url) };
  if (type === "local_image") return { type: "localImage", path: modelPath(String(path), context) };
  if (type === "skill" || type === "mention") return { type, name: String(name), path: String(path) };
  return { type: "text", text: String(text ?? ""), text_elements: [] };
}

/** The input as text, for an item. */
export function inputText(input: readonly UserInput[]): string {
  return input.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}
