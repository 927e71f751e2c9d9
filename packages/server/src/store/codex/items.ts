import type {
  CommandAction,
  DynamicToolCallOutputContentItem,
  FileUpdateChange,
  ThreadItem,
  UserInput,
  WebSearchAction,
} from "@quire/protocol";
import { camel, camelKeys, durationMs, type Fields, fields, list, numberOrNull, text, textOrNull } from "./fields.ts";

/** Turns an item as Codex 0.166 writes it into one of the wire; `undefined` for kinds that we do not know. */
export function wireItem(line: Fields): ThreadItem | undefined {
  const item = fields(line.item);
  const id = text(item.id);
  const times = { startedAtMs: numberOrNull(line.started_at_ms), completedAtMs: numberOrNull(line.completed_at_ms) };
  switch (item.type) {
    case "UserMessage":
      return {
        type: "userMessage",
        id,
        clientId: textOrNull(item.client_id),
        content: userInputs(item.content),
        ...times,
      };
    case "AgentMessage":
      return { ...agentMessage(id, messageText(item.content), item), ...times };
    case "Reasoning": {
      const [summary, content] = [list(item.summary_text), list(item.raw_content)];
      return { type: "reasoning", id, summary: summary.map(String), content: content.map(String), ...times };
    }
    case "CommandExecution":
      return { ...commandExecution(id, item), ...times };
    case "FileChange":
      return { type: "fileChange", id, changes: fileChanges(item.changes), status: patchStatus(item), ...times };
    case "McpToolCall":
      return { ...mcpToolCall(id, item), ...times };
    case "DynamicToolCall":
      return { ...dynamicToolCall(id, item), ...times };
    case "WebSearch":
      return { ...webSearch(id, item), ...times };
    case "ContextCompaction":
      return { type: "contextCompaction", id, ...times };
    case "Plan":
      return { type: "plan", id, text: text(item.text), ...times };
    case "ImageView":
      return { type: "imageView", id, path: localPath(text(item.path)), ...times };
    case "EnteredReviewMode":
      return { type: "enteredReviewMode", id, review: text(item.review), ...times };
    case "ExitedReviewMode":
      return { type: "exitedReviewMode", id, review: text(item.review), ...times };
    default:
      return undefined;
  }
}

/** An agent's message. */
export function agentMessage(id: string, message: string, item: Fields): ThreadItem & { type: "agentMessage" } {
  const phase = textOrNull(item.phase) as "commentary" | "final_answer" | null;
  return { type: "agentMessage", id, text: message, phase, memoryCitation: null, delivery: null, questions: null };
}

/** A command that has ended. */
export function commandExecution(id: string, item: Fields): ThreadItem & { type: "commandExecution" } {
  const exitCode = numberOrNull(item.exit_code);
  return {
    type: "commandExecution",
    id,
    pluginId: null,
    scriptPath: null,
    command: commandLine(list(item.command).map(String)),
    cwd: localPath(text(item.cwd)),
    processId: textOrNull(item.process_id),
    source: camel(text(item.source, "agent")) as "agent",
    status: text(item.status, exitCode === 0 ? "completed" : "failed") as "completed",
    commandActions: list(item.parsed_cmd).map(commandAction),
    aggregatedOutput: text(item.aggregated_output) || null,
    exitCode,
    durationMs: durationMs(item.duration),
  };
}

/** An MCP tool call that has ended. */
export function mcpToolCall(id: string, item: Fields): ThreadItem & { type: "mcpToolCall" } {
  const result = fields(item.result);
  const error = fields(item.error);
  return {
    type: "mcpToolCall",
    id,
    server: text(item.server),
    tool: text(item.tool),
    arguments: item.arguments ?? null,
    status: camel(text(item.status, "completed")) as "completed",
    result: item.result
      ? { content: [...list(result.content)], structuredContent: result.structured_content ?? null }
      : null,
    error: item.error ? { message: text(error.message, text(item.error)) } : null,
    durationMs: durationMs(item.duration),
  };
}

/** A call of a client's tool that has ended. */
export function dynamicToolCall(id: string, item: Fields): ThreadItem & { type: "dynamicToolCall" } {
  return {
    type: "dynamicToolCall",
    id,
    tool: text(item.tool),
    namespace: textOrNull(item.namespace),
    arguments: item.arguments ?? null,
    status: text(item.status, item.success === false ? "failed" : "completed") as "completed",
    contentItems: contentItems(item),
    success: typeof item.success === "boolean" ? item.success : null,
    durationMs: durationMs(item.duration),
  };
}

/** A web search. */
export function webSearch(id: string, item: Fields): ThreadItem & { type: "webSearch" } {
  const action = item.action ? (camelKeys(item.action) as WebSearchAction) : null;
  const kind = action && ({ ...action, type: camel(action.type) } as WebSearchAction);
  return { type: "webSearch", id, query: text(item.query), action: kind };
}

/** The changes of a patch, sorted by path. */
export function fileChanges(changes: unknown): FileUpdateChange[] {
  const entries = Object.entries(fields(changes)).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([path, value]) => {
    const change = fields(value);
    if (change.type !== "update") {
      return { path, kind: { type: change.type === "delete" ? "delete" : "add" }, diff: text(change.content) };
    }
    const movePath = textOrNull(change.move_path);
    const diff = text(change.unified_diff) + (movePath ? `\n\nMoved to: ${movePath}` : "");
    return { path, kind: { type: "update", move_path: movePath }, diff };
  });
}

/** The status of a file change; older versions say only whether it succeeded. */
export function patchStatus(item: Fields): "completed" | "failed" | "declined" {
  return text(item.status, item.success === false ? "failed" : "completed") as "completed";
}

/** The path of a `file:` URL; other paths stay as they are. */
function localPath(path: string): string {
  return path.startsWith("file://") ? decodeURIComponent(path.slice("file://".length)) : path;
}

/** A command as one line, quoted where needed. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quote(word))).join(" ");
}

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function userInputs(content: unknown): UserInput[] {
  return list(content).flatMap((value): UserInput[] => {
    const part = fields(value);
    switch (part.type) {
      case "text":
        return [{ type: "text", text: text(part.text), text_elements: [...list(part.text_elements)] as never[] }];
      case "image":
        return [{ type: "image", url: text(part.image_url, text(part.url)) }];
      case "local_image":
        return [{ type: "localImage", path: text(part.path) }];
      case "skill":
      case "mention":
        return [{ type: part.type, name: text(part.name), path: text(part.path) }];
      default:
        return [];
    }
  });
}

function messageText(content: unknown): string {
  return list(content)
    .map((part) => text(fields(part).text))
    .join("");
}

function commandAction(value: unknown): CommandAction {
  const parsed = fields(value);
  const command = text(parsed.cmd, text(parsed.command));
  switch (parsed.type) {
    case "read":
      return { type: "read", command, name: text(parsed.name), path: localPath(text(parsed.path)) };
    case "list_files":
      return { type: "listFiles", command, path: textOrNull(parsed.path) };
    case "search":
      return { type: "search", command, query: textOrNull(parsed.query), path: textOrNull(parsed.path) };
    default:
      return { type: "unknown", command };
  }
}

function contentItems(item: Fields): DynamicToolCallOutputContentItem[] | null {
  return Array.isArray(item.content_items) ? (item.content_items as never[]) : null;
}
