/** The part of the Agent Client Protocol, version 1, that is used here. */
export const acpVersion = 1;

/** Text, an image, or a file as an editor refers to it. */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | { readonly type: "resource_link"; readonly uri: string; readonly name?: string }
  | { readonly type: "resource"; readonly resource: { readonly uri: string; readonly text?: string } };

/** The content of a tool call. */
export type ToolContent =
  | { readonly type: "content"; readonly content: ContentBlock }
  | { readonly type: "diff"; readonly path: string; readonly oldText: string | null; readonly newText: string };

/** A tool call, or what has changed of one. */
export interface ToolCall {
  readonly toolCallId: string;
  readonly title?: string | undefined;
  readonly kind?: "read" | "edit" | "delete" | "search" | "execute" | "think" | "fetch" | "other" | undefined;
  readonly status?: "pending" | "in_progress" | "completed" | "failed" | undefined;
  readonly content?: readonly ToolContent[] | undefined;
  readonly locations?: readonly { readonly path: string }[] | undefined;
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
}

/** A message to the editor about a session. */
export type SessionUpdate = { readonly sessionUpdate: string } & Readonly<Record<string, unknown>>;

/** An MCP server that the editor wants to be used. */
export interface AcpMcpServer {
  readonly type?: "http" | "sse" | undefined;
  readonly name: string;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | undefined;
  readonly url?: string | undefined;
  readonly headers?: readonly { readonly name: string; readonly value: string }[] | undefined;
}

/** Params of the methods that an editor calls. */
export interface SessionParams {
  readonly sessionId: string;
  readonly cwd: string;
  readonly mcpServers?: readonly AcpMcpServer[];
  readonly prompt: readonly ContentBlock[];
}
