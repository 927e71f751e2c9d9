import type { UserInput } from "@quire/protocol";
import { composeWords } from "../words/words.ts";
import { localId } from "./local-id.ts";

/** An image that goes with the message. */
export interface AttachedImage {
  readonly id: string;
  readonly name: string;
  /** The image itself, as a `data:` address. */
  readonly url: string;
  readonly bytes: number;
}

/** Limits of one message, such that it fits into one frame with room to spare. */
const imageLimits = { count: 8, bytesEach: 5 * 1024 * 1024, bytesTotal: 12 * 1024 * 1024 } as const;

/** Image types that models take. */
export const imageTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** Images made of pasted, dropped or chosen files, and the files that were refused. */
export interface AddedImages {
  readonly images: readonly AttachedImage[];
  /** Why some were left out; one sentence each. */
  readonly problems: readonly string[];
}

/** Reads files into images, up to the limit together with those already `attached`. */
export async function readImages(files: readonly File[], attached: readonly AttachedImage[]): Promise<AddedImages> {
  const images: AttachedImage[] = [];
  const problems: string[] = [];
  let total = attached.reduce((sum, image) => sum + image.bytes, 0);
  for (const file of files) {
    const name = file.name || "image";
    if (!imageTypes.includes(file.type)) problems.push(composeWords.notImageAttachPngJpeg(name));
    else if (file.size > imageLimits.bytesEach) problems.push(composeWords.largerThan5MbMake(name));
    else if (attached.length + images.length >= imageLimits.count) {
      problems.push(composeWords.leftOutMessageTakesImages(name, imageLimits.count));
    } else if (total + file.size > imageLimits.bytesTotal) {
      problems.push(composeWords.leftOutImagesMessageMay(name));
    } else {
      total += file.size;
      images.push({ id: localId(), name, url: await readAsDataUrl(file), bytes: file.size });
    }
  }
  return { images, problems };
}

/** The images of a message that was to be sent. */
export function imagesOf(input: readonly UserInput[]): readonly AttachedImage[] {
  return input.flatMap((part) =>
    part.type === "image" && "url" in part
      ? [{ id: localId(), name: "image", url: part.url, bytes: Math.round((part.url.length * 3) / 4) }]
      : [],
  );
}

/** The files of a paste or a drop. */
export function filesOf(transfer: DataTransfer | null): readonly File[] {
  return [...(transfer?.files ?? [])];
}

function readAsDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(composeWords.couldNotRead(file.name, reader.error?.message ?? "unknown")));
    reader.readAsDataURL(file);
  });
}
