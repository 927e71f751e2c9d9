import { resolve } from "node:path";
import type { FunctionCallOutputBody, ImageViewThreadItem } from "@quire/protocol";
import { type ToolContext, ToolFailure } from "../approval/tool-context.ts";
import { imageDetail } from "../config/catalogue.ts";
import { isSwitchedOff } from "../config/feature-flags.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import type { ToolCall } from "../record/tool-call.ts";
import { imageUrl } from "../run/helpers/images.ts";
import { readLargeFile } from "../workspace-files/read-file.ts";
import { FileRefused } from "../workspace-files/root.ts";
import { Arguments } from "./arguments.ts";
import { modelAccess } from "./model-access.ts";
import { requireLocal } from "./require-local.ts";
import type { Tool } from "./tool.ts";

const path = { type: "string", description: "Path of the image file." };

const spec: ToolSpec = {
  type: "function",
  name: "view_image",
  description: "Shows you an image file of this machine. Use it when you have a path and not yet the image.",
  strict: false,
  parameters: { type: "object", properties: { path }, required: ["path"], additionalProperties: false },
};

/** `view_image`: hands the model a picture from the disk. */
export const viewImageTool: Tool = {
  spec,
  name: "view_image",
  namespace: null,
  isOn: ({ raw }) => !isSwitchedOff(raw, "view_image"),
  needs: "files",
  readOnly: true,
  run,
};

/** No model accepts a larger image. */
const maxBytes = 64 << 20;

async function run(call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
  requireLocal(context);
  const args = new Arguments(call);
  const path = resolve(context.settings.cwd, args.requiredText("path"));
  const detail = imageDetail(context.settings.model);
  const url = await imageUrl(await read(path, context), detail);
  if (url === undefined) throw new ToolFailure("unable to process image: invalid or unsupported image data");
  const item: ImageViewThreadItem = { type: "imageView", id: call.callId, path, startedAtMs: Date.now() };
  context.startItem(item);
  context.completeItem(item);
  return [{ type: "input_image", image_url: url, detail }];
}

async function read(path: string, context: ToolContext): Promise<Uint8Array> {
  try {
    const found = await readLargeFile(path, { ...modelAccess(path, context), maxBytes });
    if (found) return found.bytes;
  } catch (error) {
    throw new ToolFailure(explain(path, error as NodeJS.ErrnoException | FileRefused));
  }
  throw new ToolFailure(`unable to locate image at \`${path}\`: No such file or directory (os error 2)`);
}

function explain(path: string, error: NodeJS.ErrnoException | FileRefused): string {
  if (error instanceof FileRefused && error.reason === "notFile") return `image path \`${path}\` is not a file`;
  if (error instanceof FileRefused && error.reason === "tooLarge")
    return `image at \`${path}\` is larger than ${maxBytes >> 20} MiB; make it smaller`;
  const denied = error instanceof FileRefused || error.code === "EACCES";
  return `unable to locate image at \`${path}\`: ${denied ? "Permission denied (os error 13)" : error.message}`;
}
