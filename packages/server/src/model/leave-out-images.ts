import type { ResponseItem } from "@quire/protocol";

/** The text in place of an image. Codex has the like for images that it cannot read. */
const leftOut = "image content omitted because this model takes no images";

interface Part {
  readonly type: string;
}

/** True if an item of the history shows an image. */
export function hasImages(input: readonly ResponseItem[]): boolean {
  return input.some((item) => partsOf(item)?.some(isImage));
}

/** The history for a model that takes no images: a text stands for each. */
export function leaveOutImages(input: readonly ResponseItem[]): ResponseItem[] {
  return input.map((item): ResponseItem => {
    const parts = partsOf(item);
    if (!parts?.some(isImage)) return item;
    const kept = parts.map((part) => (isImage(part) ? { type: "input_text", text: leftOut } : part));
    return { ...item, ["content" in item ? "content" : "output"]: kept } as ResponseItem;
  });
}

/** The parts of a user's message, or of an output; `undefined` for what holds no images. */
function partsOf(item: ResponseItem): readonly Part[] | undefined {
  if (item.type === "message") return item.content;
  const { output }: { readonly output?: unknown } = item as object;
  return Array.isArray(output) ? output : undefined;
}

const isImage = ({ type }: Part): boolean => type === "input_image";
