import type { ImageDetail } from "@quire/protocol";
import { fitImage, type ImageBudget } from "./fit-image.ts";

/** Larger images would not fit into a request. */
const maxImageBytes = 64 << 20;

/** The same as base64, with room for a prefix and line breaks. */
const maxUrlLength = maxImageBytes * 1.5;

/** Models look at no more; larger images are scaled down. */
const budget: ImageBudget = { side: 2048, patches: 2500 };
const originalBudget: ImageBudget = { side: 6000, patches: 10_000 };

/** An image as a `data:` URL that a model takes; `undefined` where the bytes are no image of a kind that models take. */
export async function imageUrl(bytes: Uint8Array, detail: ImageDetail = "high"): Promise<string | undefined> {
  const type = imageType(bytes);
  if (type === undefined || bytes.length > maxImageBytes) return undefined;
  const fitted = type === "gif" ? bytes : await fitImage(bytes, detail === "original" ? originalBudget : budget);
  return fitted && `data:image/${imageType(fitted)};base64,${Buffer.from(fitted).toString("base64")}`;
}

/** Replaces an image that cannot be decoded. */
export const omittedImage = "image content omitted because it could not be processed";

/** Bytes of a `data:` URL with base64; `undefined` for any other. */
export function dataUrlBytes(url: string): Uint8Array | undefined {
  if (url.length > maxUrlLength) return undefined;
  const encoded = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]*)$/.exec(url)?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, "base64");
}

function imageType(bytes: Uint8Array): "png" | "jpeg" | "gif" | "webp" | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (head.startsWith("\xff\xd8\xff")) return "jpeg";
  if (/^GIF8[79]a/.test(head)) return "gif";
  return head.startsWith("RIFF") && head.slice(8) === "WEBP" ? "webp" : undefined;
}
