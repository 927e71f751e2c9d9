import { readFile, stat } from "node:fs/promises";
import type { ContentItem, ImageDetail, UserInput } from "@quire/protocol";
import { dataUrlBytes, imageUrl, omittedImage } from "../tools/images.ts";
import { text } from "./message.ts";

/** What providers take in one request, about; a larger file is named to the model but not sent. */
const maxMediaBytes = 20 * 1024 * 1024;

/** A local image to be shown to the model. `index` counts the images of the message from 1. */
export interface LocalImage {
  readonly path: string;
  readonly detail: ImageDetail | null | undefined;
  readonly index: number;
}

/** The detail in which images are looked at when nothing is said. */
const defaultDetail: ImageDetail = "high";

/** An image that the client gives: by its address, or as a file that the provider has. */
export async function imageContent(part: Extract<UserInput, { type: "image" }>): Promise<ContentItem> {
  const detail = part.detail ?? defaultDetail;
  if (!("url" in part)) return { type: "input_image", file_id: part.fileId, detail };
  if (!/^data:/i.test(part.url)) return { type: "input_image", image_url: part.url, detail };
  return inlineImage(dataUrlBytes(part.url), detail);
}

async function inlineImage(bytes: Uint8Array | undefined, detail: ImageDetail): Promise<ContentItem> {
  const url = bytes && (await imageUrl(bytes, { original: detail === "original" }));
  return url ? { type: "input_image", image_url: url, detail } : text(omittedImage);
}

/** A local image for the model, or words about why it is not there: a turn goes on without it. */
export async function localImageContent({ path, detail, index }: LocalImage): Promise<ContentItem[]> {
  const file = await readMedia(path);
  if (typeof file === "string") return [text(`The local image at \`${path}\` could not be read: ${file}`)];
  const image = await inlineImage(file, detail ?? defaultDetail);
  return [text(`<image name=[Image #${index}] path="${path}">`), image, text("</image>")];
}

/** A local recording for the model, or words about why it is not there. */
export async function localAudioContent(path: string): Promise<ContentItem[]> {
  const file = await readMedia(path);
  if (typeof file === "string") return [text(`The local audio at \`${path}\` could not be read: ${file}`)];
  const type = audioType(file);
  return [
    type
      ? { type: "input_audio", audio_url: dataUrl(type, file) }
      : text("audio content omitted because it could not be processed"),
  ];
}

/** The file's bytes, or why there are none. */
async function readMedia(path: string): Promise<Uint8Array | string> {
  try {
    // Looked at before it is opened: a pipe that nobody writes to would hold the turn for ever.
    const stats = await stat(path);
    if (!stats.isFile()) return "it is not a file";
    if (stats.size > maxMediaBytes) return `it has ${stats.size} bytes, and ${maxMediaBytes} is the most that is sent`;
    return await readFile(path);
  } catch (error) {
    return reasons[(error as NodeJS.ErrnoException).code ?? ""] ?? (error as Error).message;
  }
}

/** Without the system call and the path, which stand there already. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "No such file or directory (os error 2)",
  EACCES: "Permission denied (os error 13)",
  EISDIR: "Is a directory (os error 21)",
};

function dataUrl(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64")}`;
}

/** By the first bytes: names lie more often. */
function audioType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  if (/^RIFF[\s\S]{4}WAVE/.test(head)) return "audio/wav";
  if (head.startsWith("ID3") || /^\xff[\xe2-\xfb]/.test(head)) return "audio/mpeg";
  if (head.startsWith("OggS")) return "audio/ogg";
  if (head.startsWith("fLaC")) return "audio/flac";
  return undefined;
}
