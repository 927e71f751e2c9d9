import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from "@ai-sdk/provider";

/** Text or an image. */
export type ContentPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

/** Content of an item, of whatever kind. */
interface Content {
  readonly type: string;
  readonly text?: unknown;
  readonly image_url?: unknown;
}

/** Content as parts of a prompt. Leaves out what providers refuse: empty text, and files that only OpenAI has. */
export function contentParts(content: readonly Content[]): ContentPart[] {
  return content.flatMap(({ text, image_url: url }): ContentPart[] => {
    if (typeof text === "string") return text.trim() === "" ? [] : [{ type: "text", text }];
    return typeof url === "string" ? imagePart(url) : [];
  });
}

/** True for an image. */
export function isImage(part: ContentPart): part is LanguageModelV4FilePart {
  return part.type === "file";
}

function imagePart(address: string): ContentPart[] {
  const data = /^data:(image\/[\w.+-]+);base64,/i.exec(address);
  if (data) {
    const mediaType = data[1]?.toLowerCase() ?? "image/png";
    return [{ type: "file", mediaType, data: { type: "data", data: address.slice(data[0].length) } }];
  }
  const url = URL.parse(address);
  return url?.protocol === "https:" ? [{ type: "file", mediaType: "image/*", data: { type: "url", url } }] : [];
}
