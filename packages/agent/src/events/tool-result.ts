import { partItems } from "@quire/client/tools";

/** The result of a tool call. */
export interface ToolResult<T = unknown> {
  /** For the model where there is no value to read, and for logs. */
  readonly message: string;
  readonly value: T | null;
  /** A failed call is rolled back. */
  readonly success: boolean;
  /** Shows the model the message alone, though there is a value. */
  readonly excludeValueFromContext: boolean;
  /** Pictures for the model: URLs, also `data:`. */
  readonly images: readonly string[];
}

/** Options of {@link ToolResult.ok}. */
export interface OkOptions {
  /** Default `OK`. */
  readonly message?: string | undefined;
  readonly excludeValueFromContext?: boolean | undefined;
  readonly images?: readonly string[] | undefined;
}

/** Makes results of tools. */
export const ToolResult: {
  /** The call succeeded. */
  ok<T = null>(value?: T, options?: string | OkOptions): ToolResult<T>;
  /** The call failed; the model reads why. */
  error(message: string): ToolResult<never>;
} = {
  ok<T>(value?: T, options: string | OkOptions = {}): ToolResult<T> {
    const {
      message = "OK",
      excludeValueFromContext = false,
      images = [],
    } = typeof options === "string" ? { message: options } : options;
    return { message, value: value ?? null, success: true, excludeValueFromContext, images };
  },
  error: (message) => ({ message, value: null, success: false, excludeValueFromContext: false, images: [] }),
};

/** Takes a tool's output as a result. */
export function toToolResult(output: unknown): ToolResult {
  if (isToolResult(output)) return output;
  const items = partItems(output);
  if (items === undefined) return ToolResult.ok(output);
  const texts = items.flatMap((item) => (item.type === "inputText" ? [item.text] : []));
  const images = items.flatMap((item) => (item.type === "inputImage" ? [item.imageUrl] : []));
  return ToolResult.ok(texts.join("\n"), { images });
}

function isToolResult(value: unknown): value is ToolResult {
  if (typeof value !== "object" || value === null) return false;
  const { success, message, images } = value as Partial<ToolResult>;
  return typeof success === "boolean" && typeof message === "string" && Array.isArray(images);
}
