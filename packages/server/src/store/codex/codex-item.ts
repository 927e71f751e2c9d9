import { pathToFileURL } from "node:url";
import type { CommandAction, FileUpdateChange, ThreadItem, UserInput } from "@quire/protocol";
import { parseScript, plainCommands } from "@quire/protocol/shell";

type Written = Readonly<Record<string, unknown>>;

/** An item as Codex writes it, the reverse of `wireItem`; `undefined` for kinds that it could not show. */
export function codexItem(item: ThreadItem): Written | undefined {
  const { id } = item;
  switch (item.type) {
    case "userMessage":
      return { type: "UserMessage", id, client_id: item.clientId ?? null, content: item.content.flatMap(codexInput) };
    case "agentMessage":
      return { type: "AgentMessage", id, content: [{ type: "Text", text: item.text }], phase: item.phase ?? null };
    case "reasoning":
      return { type: "Reasoning", id, summary_text: item.summary ?? [], raw_content: item.content ?? [] };
    case "commandExecution":
      return {
        type: "CommandExecution",
        id,
        process_id: item.processId ?? null,
        command: wordsOf(item.command),
        cwd: pathToFileURL(item.cwd).href,
        parsed_cmd: item.commandActions.map(codexAction),
        source: snake(item.source ?? "agent"),
        status: snake(item.status),
        aggregated_output: item.aggregatedOutput ?? "",
        exit_code: item.exitCode ?? null,
        duration: duration(item.durationMs),
      };
    case "fileChange":
      return { type: "FileChange", id, changes: codexChanges(item.changes), status: snake(item.status) };
    case "mcpToolCall":
      return {
        type: "McpToolCall",
        id,
        server: item.server,
        tool: item.tool,
        arguments: item.arguments,
        status: snake(item.status),
        result: item.result && { content: item.result.content, structured_content: item.result.structuredContent },
        error: item.error ?? null,
        duration: duration(item.durationMs),
      };
    case "dynamicToolCall":
      return {
        type: "DynamicToolCall",
        id,
        tool: item.tool,
        namespace: item.namespace ?? null,
        arguments: item.arguments,
        status: snake(item.status),
        content_items: item.contentItems ?? null,
        success: item.success ?? null,
        duration: duration(item.durationMs),
      };
    case "contextCompaction":
      return { type: "ContextCompaction", id };
    case "plan":
      return { type: "Plan", id, text: item.text };
    case "imageView":
      return { type: "ImageView", id, path: pathToFileURL(item.path).href };
    case "enteredReviewMode":
      return { type: "EnteredReviewMode", id, review: item.review };
    case "exitedReviewMode":
      return { type: "ExitedReviewMode", id, review: item.review };
    default:
      return undefined;
  }
}

const snake = (word: string): string => word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function duration(ms: number | null | undefined): Written | null {
  return ms === null || ms === undefined ? null : { secs: Math.floor(ms / 1000), nanos: (ms % 1000) * 1_000_000 };
}

/** The words of a command line. One that is more than a plain command is a script for the shell. */
function wordsOf(line: string): string[] {
  const script = parseScript(line);
  const [words, ...more] = (script && plainCommands(script)?.flat()) ?? [];
  return words !== undefined && more.length === 0 ? words : ["/bin/bash", "-lc", line];
}

function codexAction(action: CommandAction): Written {
  const { type, command, ...rest } = action;
  return { type: snake(type), cmd: command, ...rest };
}

function codexChanges(changes: readonly FileUpdateChange[]): Written {
  return Object.fromEntries(
    changes.map(({ path, kind, diff }) => {
      if (kind.type !== "update") return [path, { type: kind.type, content: diff }];
      const moved = kind.move_path ?? null;
      const unified = moved === null ? diff : diff.replace(/\n\nMoved to: .*$/s, "");
      return [path, { type: "update", unified_diff: unified, move_path: moved }];
    }),
  );
}

function codexInput(input: UserInput): Written[] {
  switch (input.type) {
    case "text":
      return [{ type: "text", text: input.text, text_elements: input.text_elements ?? [] }];
    case "image":
      return "url" in input ? [{ type: "image", image_url: input.url }] : [];
    case "localImage":
      return [{ type: "local_image", path: input.path }];
    case "skill":
    case "mention":
      return [{ type: input.type, name: input.name, path: input.path }];
    default:
      return [];
  }
}
