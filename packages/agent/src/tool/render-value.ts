import { recordTypeOf } from "../events/record.ts";
import type { ToolResult } from "../events/tool-result.ts";
import { isPlainObject } from "../lib/frozen-copy.ts";
import type { Logger } from "../lib/logger.ts";

/** The text of a result for the model: its value, or else the message. */
export function resultText(result: ToolResult, logger?: Logger): string {
  if (result.excludeValueFromContext) return result.message;
  return renderValue(result.value, logger) || result.message;
}

/**
 * The text of a value for the model: that of its own `render()`, or of its record type; text as it is; bytes as UTF-8;
 * all else as JSON. Several values that are not all JSON stand below each other.
 */
export function renderValue(value: unknown, logger?: Logger): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value !== "object") return String(value);
  const own = ownText(value);
  if (own !== undefined) return own;
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return new TextDecoder().decode(value);
  if (value instanceof Map) return toJson(Object.fromEntries(value));
  if (value instanceof Set) return renderValue([...value], logger);
  if (Array.isArray(value)) return renderAll(value, logger);
  const type = recordTypeOf(value);
  if (type === undefined) return toJson(value);
  logger?.warn?.(`Records of type "${type.typeName}" have no render(): the model reads JSON`);
  return toJson(value, (part) => part ?? undefined);
}

function renderAll(values: readonly unknown[], logger: Logger | undefined): string {
  if (values.every(isJson)) return toJson(values);
  return values.map((value) => renderValue(value, logger)).join("\n\n");
}

function isJson(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint" && typeof value !== "function";
  if (ownText(value) !== undefined) return false;
  return Array.isArray(value) ? value.every(isJson) : isPlainObject(value);
}

function ownText(value: object): string | undefined {
  const { render } = value as { readonly render?: unknown };
  if (typeof render === "function") return String(render.call(value));
  return recordTypeOf(value)?.render(value);
}

function toJson(value: unknown, keep: (value: unknown) => unknown = (part) => part): string {
  return JSON.stringify(value, (_, part) => keep(part)) ?? String(value);
}
