/** What a tool gives back. */
export interface ToolResult<T = unknown> {
  /** For the model where there is no value to read, and for logs. */
  readonly message: string;
  readonly value: T | null;
  /** A failed call is rolled back. */
  readonly success: boolean;
  /** Whether the model reads the message alone, though there is a value. */
  readonly excludeValueFromContext: boolean;
  /** Pictures for the model: URLs, also `data:`. */
  readonly images: readonly string[];
}

/** What a successful {@link ToolResult} may have besides its value. */
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

/** Tells whether a handler gave what it should. */
export function isToolResult(value: unknown): value is ToolResult {
  if (typeof value !== "object" || value === null) return false;
  const { success, message, images } = value as Partial<ToolResult>;
  return typeof success === "boolean" && typeof message === "string" && Array.isArray(images);
}
