import type { Failure } from "../failure.ts";
import type { OfferedTool } from "./find-tool.ts";

/** A part of the offline model's answer, in the order of streaming. */
export type Part =
  | { readonly kind: "think"; readonly text: string }
  | { readonly kind: "say"; readonly text: string; readonly delayMs?: number }
  | { readonly kind: "call"; readonly tool: OfferedTool; readonly input: string }
  | { readonly kind: "search"; readonly query: string }
  | { readonly kind: "retry"; readonly times: number }
  | { readonly kind: "fail"; readonly failure: Failure };

/** A text part. */
export function say(text: string): Part {
  return { kind: "say", text };
}

/** A call; arguments of a function become JSON. */
export function call(tool: OfferedTool, input: object | string): Part {
  return { kind: "call", tool, input: typeof input === "string" ? input : JSON.stringify(input) };
}
