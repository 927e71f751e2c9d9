import type { LanguageModelV3FilePart } from "@ai-sdk/provider";
import { decodeBase64, encodeBase64 } from "../../lib/base64.ts";
import type { InputItem } from "../../turn/turn-input.ts";
import { unsupported } from "../call-error.ts";
import type { UserMessage } from "./read-prompt.ts";

/** The user's message as input of a turn. */
export function toInput(messages: readonly UserMessage[]): InputItem[] {
  return messages.flatMap(({ content }) =>
    content.map((part): InputItem => (part.type === "text" ? { type: "text", text: part.text } : fileInput(part))),
  );
}

function fileInput(part: LanguageModelV3FilePart): InputItem {
  const { mediaType, data, filename } = part;
  const [kind] = mediaType.split("/");
  if (kind === "image" || kind === "audio") {
    const path = data instanceof URL && data.protocol === "file:" ? decodeURIComponent(data.pathname) : undefined;
    if (kind === "image")
      return path === undefined ? { type: "image", url: fileUrl(part) } : { type: "localImage", path };
    return path === undefined ? { type: "audio", url: fileUrl(part) } : { type: "localAudio", path };
  }
  if ((kind === "text" || mediaType === "application/json") && !(data instanceof URL)) {
    const text = new TextDecoder().decode(typeof data === "string" ? decodeBase64(data) : data);
    return { type: "text", text: filename === undefined ? text : `${filename}:\n\n${text}` };
  }
  throw unsupported(
    `a file of type ${mediaType} in a prompt`,
    "put it into the thread's folder and name it in the prompt",
  );
}

/** The address of a picture or a sound; a `data:` URL if there is only its content. */
export function fileUrl({ data, mediaType }: Pick<LanguageModelV3FilePart, "data" | "mediaType">): string {
  if (data instanceof URL) return data.href;
  if (typeof data === "string" && /^(data|https?):/.test(data)) return data;
  return `data:${fullType(mediaType)};base64,${typeof data === "string" ? data : encodeBase64(data)}`;
}

/** A whole media type: the AI SDK says `image/*` or `image` where it does not know better, and models look at the bytes. */
export function fullType(mediaType: string): string {
  const [kind, type = "*"] = mediaType.split("/");
  return type === "*" ? `${kind}/${kind === "image" ? "png" : "wav"}` : mediaType;
}
