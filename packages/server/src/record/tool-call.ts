/** A call as the model made it. `arguments` is unparsed: JSON for a function, free text for a custom tool. */
export interface ToolCall {
  /** `search`: the model searches for tools by its endpoint's own means. */
  readonly kind: "function" | "custom" | "search";
  readonly callId: string;
  readonly namespace: string | null;
  readonly name: string;
  readonly arguments: string;
}
