import { fileURLToPath } from "node:url";
import type { InputItem } from "@quire/client";
import type { AcpMcpServer, ContentBlock } from "./protocol.ts";

/** A prompt of an editor as input of a turn. Files that it refers to are named; those that it sends along are quoted. */
export function readPrompt(prompt: readonly ContentBlock[]): InputItem[] {
  return prompt.map((block): InputItem => {
    switch (block.type) {
      case "image":
        return { type: "image", url: `data:${block.mimeType};base64,${block.data}` };
      case "resource_link":
        return { type: "text", text: `@${pathOf(block.uri)}` };
      case "resource":
        return {
          type: "text",
          text: `<file path="${pathOf(block.resource.uri)}">\n${block.resource.text ?? ""}\n</file>`,
        };
      default:
        return { type: "text", text: block.text };
    }
  });
}

/** The editor's MCP servers as the configuration has them. */
export function mcpConfig(servers: readonly AcpMcpServer[]): Record<string, unknown> {
  const entries = servers.map(({ name, command, args, env, url, headers }) => {
    const values = (pairs: AcpMcpServer["env"]) =>
      Object.fromEntries((pairs ?? []).map((pair) => [pair.name, pair.value]));
    const server = url === undefined ? { command, args, env: values(env) } : { url, http_headers: values(headers) };
    // Names of servers become names of tools, which models know by letters and digits.
    return [name.replace(/[^\w-]/g, "_"), server];
  });
  return entries.length === 0 ? {} : { mcp_servers: Object.fromEntries(entries) };
}

function pathOf(uri: string): string {
  try {
    return uri.startsWith("file://") ? fileURLToPath(uri) : uri;
  } catch {
    return uri;
  }
}
