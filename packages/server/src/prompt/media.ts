import { dirname } from "node:path";
import type { ContentItem, ImageDetail, UserInput } from "@quire/protocol";
import { dataUrlBytes, imageUrl, omittedImage } from "../run/helpers/images.ts";
import { readLargeFile } from "../workspace-files/read-file.ts";
import { FileRefused } from "../workspace-files/root.ts";
import { text } from "./message.ts";

/** About the limit of providers; a larger file is named to the model but not sent. */
const maxMediaBytes = 20 * 1024 * 1024;

/** A local image to be shown to the model. `index` counts the images of the message from 1. */
export interface LocalImage {
  readonly path: string;
  readonly detail: ImageDetail;
  readonly index: number;
  /** Its credentials are never shown. */
  readonly home: string;
}

/** An image that the client gives: by its address, or as a file that the provider has. */
export async function imageContent(
  part: Extract<UserInput, { type: "image" }>,
  detail: ImageDetail,
): Promise<ContentItem> {
  if (!("url" in part)) return { type: "input_image", file_id: part.fileId, detail };
  if (!/^data:/i.test(part.url)) return { type: "input_image", image_url: part.url, detail };
  return inlineImage(dataUrlBytes(part.url), detail);
}

async function inlineImage(bytes: Uint8Array | undefined, detail: ImageDetail): Promise<ContentItem> {
  const url = bytes && (await imageUrl(bytes, detail));
  return url ? { type: "input_image", image_url: url, detail } : text(omittedImage);
}

/** A local image for the model, or a text that says why it is missing: the turn continues without it. */
export async function localImageContent({ path, detail, index, home }: LocalImage): Promise<ContentItem[]> {
  const file = await readMedia(path, home);
  if (typeof file === "string") return [text(`The local image at \`${path}\` could not be read: ${file}`)];
  const image = await inlineImage(file, detail);
  return [text(`<image name=[Image #${index}] path="${path}">`), image, text("</image>")];
}

/** A local recording for the model, or a text that says why it is missing. */
export async function localAudioContent(path: string, home: string): Promise<ContentItem[]> {
  const file = await readMedia(path, home);
  if (typeof file === "string") return [text(`The local audio at \`${path}\` could not be read: ${file}`)];
  const type = audioType(file);
  return [
    type
      ? { type: "input_audio", audio_url: dataUrl(type, file) }
      : text("audio content omitted because it could not be processed"),
  ];
}

/** The file's bytes, or the reason why there are none. The path is the client's choice. */
async function readMedia(path: string, home: string): Promise<Uint8Array | string> {
  try {
    const root = { path: dirname(path), trusted: true };
    const found = await readLargeFile(path, { root, home, maxBytes: maxMediaBytes });
    return found?.bytes ?? "No such file or directory (os error 2)";
  } catch (error) {
    if (error instanceof FileRefused && error.reason === "notFile") return "it is not a file";
    if (error instanceof FileRefused && error.reason === "tooLarge")
      return `it has ${error.bytes} bytes, and ${maxMediaBytes} is the most that is sent`;
    return reasons.get((error as NodeJS.ErrnoException).code ?? "") ?? (error as Error).message;
  }
}

/** Without the system call and the path, which the text has already. */
const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    EACCES: "Permission denied (os error 13)",
  }),
);

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
