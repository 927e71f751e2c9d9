import type { InputItem } from "../turn/turn-input.ts";
import { Refusal } from "./guard.ts";

/**
 * Input of a page. Text, and images that are in the request itself: an address would be fetched by the server, and a
 * path, a skill or a mention would name files of the server's machine.
 */
export function readInput(input: unknown): InputItem[] {
  const items = typeof input === "string" ? [{ type: "text", text: input }] : Array.isArray(input) ? input : [];
  const read = items.map((item) => readItem(item as Fields));
  if (read.length === 0) throw new Refusal(400, "`input` is a text, or a list of texts and images");
  return read;
}

/** Input of the AI SDK: the last message of its list, which the user has just written. */
export function readUiMessages(messages: unknown): InputItem[] {
  const last = (Array.isArray(messages) ? messages.at(-1) : undefined) as Fields | undefined;
  if (last?.role !== "user" || !Array.isArray(last.parts)) throw new Refusal(400, "The last message is not the user's");
  const parts = (last.parts as Fields[]).flatMap((part): Fields[] => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    if (part.type === "file" && /^image\//.test(String(part.mediaType))) return [{ type: "image", url: part.url }];
    return [];
  });
  return readInput(parts);
}

type Fields = Readonly<Record<string, unknown>>;

function readItem(item: Fields | null): InputItem {
  if (item?.type === "text" && typeof item.text === "string") return { type: "text", text: item.text };
  if (item?.type === "image" && typeof item.url === "string" && item.url.startsWith("data:image/"))
    return { type: "image", url: item.url };
  throw new Refusal(400, "An input is a text, or an image as a data: URL");
}
