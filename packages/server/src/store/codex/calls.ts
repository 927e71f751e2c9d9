import { resolve } from "node:path";
import type { ResponseItem, ThreadItem } from "@quire/protocol";
import { type Fields, fields, list, text } from "./fields.ts";
import { commandLine, webSearch } from "./items.ts";
import { patchChanges, patchInCommand } from "./patch-text.ts";

/** Makes items from calls and outputs, for versions (0.118) that write nothing else about them. */
export class Calls {
  readonly #open = new Map<string, ThreadItem>();
  readonly #dynamicTools: ReadonlySet<string>;
  cwd: string;

  constructor(meta: Fields) {
    this.cwd = text(meta.cwd);
    this.#dynamicTools = new Set(list(meta.dynamic_tools).map((tool) => text(fields(tool).name)));
  }

  started(item: ResponseItem): ThreadItem | undefined {
    const made = this.#itemOf(item);
    if (made) this.#open.set(made.id, made);
    return made;
  }

  completed(item: ResponseItem): ThreadItem | undefined {
    if (item.type !== "function_call_output" && item.type !== "custom_tool_call_output") return undefined;
    const open = this.#open.get(item.call_id ?? "");
    if (!open) return undefined;
    this.#open.delete(open.id);
    return ended(open, outputText(item.output));
  }

  /** The item of a call has come by itself. */
  forget(id: string): void {
    this.#open.delete(id);
  }

  /** Removes and returns the items of calls without output. */
  takeOpen(): ThreadItem[] {
    const open = [...this.#open.values()];
    this.#open.clear();
    return open;
  }

  #itemOf(item: ResponseItem): ThreadItem | undefined {
    if (item.type === "custom_tool_call") {
      return item.name === "apply_patch" ? this.#fileChange(item.call_id, item.input) : undefined;
    }
    if (item.type === "local_shell_call") return this.#command(item.call_id ?? item.id ?? "", item.action.command);
    if (item.type !== "function_call") return undefined;
    const args = parseArguments(item.arguments);
    const id = item.call_id;
    switch (item.name) {
      case "exec_command":
      case "shell_command": {
        const command = text(args.cmd, text(args.command));
        const patch = patchInCommand(command);
        if (patch !== undefined) return this.#fileChange(id, patch);
        return this.#command(id, ["/bin/bash", "-lc", command], text(args.workdir));
      }
      case "shell":
        return this.#command(id, list(args.command).map(String), text(args.workdir));
      case "apply_patch":
        return this.#fileChange(id, text(args.input, text(args.patch)));
      case "view_image":
        return { type: "imageView", id, path: resolve(this.cwd, text(args.path)) };
    }
    if (this.#dynamicTools.has(item.name)) {
      return { type: "dynamicToolCall", id, tool: item.name, namespace: null, arguments: args, status: "inProgress" };
    }
    const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(item.name) ?? [];
    if (!server || !tool) return undefined;
    return { type: "mcpToolCall", id, server, tool, arguments: args, status: "inProgress" };
  }

  #command(id: string, words: readonly string[], workdir = ""): ThreadItem {
    const script = words.length === 3 && words[1] === "-lc" ? (words[2] ?? "") : words.join(" ");
    return {
      type: "commandExecution",
      id,
      command: commandLine(words),
      cwd: resolve(this.cwd, workdir),
      processId: null,
      source: "agent",
      status: "inProgress",
      commandActions: [{ type: "unknown", command: script }],
      aggregatedOutput: null,
      exitCode: null,
      durationMs: null,
    };
  }

  #fileChange(id: string, patch: string): ThreadItem {
    const changes = patchChanges(patch).map((change) => ({ ...change, path: resolve(this.cwd, change.path) }));
    return { type: "fileChange", id, changes, status: "inProgress" };
  }
}

/** A web search is a single, complete entry of the history. */
export function searchItem(item: ResponseItem, id: string): ThreadItem | undefined {
  if (item.type !== "web_search_call") return undefined;
  return webSearch(item.id ?? id, { query: fields(item.action).query, action: item.action });
}

function ended(item: ThreadItem, output: string): ThreadItem {
  switch (item.type) {
    case "commandExecution":
      return { ...item, ...commandOutcome(output) };
    case "fileChange":
      return { ...item, status: /"exit_code":0\b|Exit code: 0\b|^Success/m.test(output) ? "completed" : "failed" };
    case "dynamicToolCall":
      return { ...item, status: "completed", success: true, contentItems: [{ type: "inputText", text: output }] };
    case "mcpToolCall":
      return { ...item, status: "completed", result: { content: [{ type: "text", text: output }] } };
    default:
      return item;
  }
}

/** The end of a command, read from the report to the model. */
function commandOutcome(report: string): { exitCode: number | null; aggregatedOutput: string | null } & {
  status: "completed" | "failed";
  durationMs: number | null;
} {
  const code =
    /(?:Process exited with code|Exit code:) (-?\d+)/.exec(report)?.[1] ?? /"exit_code":(-?\d+)/.exec(report)?.[1];
  const seconds = /Wall time: ([\d.]+) seconds/.exec(report)?.[1];
  const at = report.indexOf("\nOutput:\n");
  const exitCode = code === undefined ? null : Number(code);
  return {
    exitCode,
    status: exitCode === 0 ? "completed" : "failed",
    aggregatedOutput: (at === -1 ? report : report.slice(at + "\nOutput:\n".length)) || null,
    durationMs: seconds === undefined ? null : Math.round(Number(seconds) * 1000),
  };
}

function outputText(output: unknown): string {
  if (typeof output === "string") return output;
  // Some versions wrap it as `{ content, success }`.
  const parts = Array.isArray(output) ? output : list(fields(output).content);
  return parts.length > 0 ? parts.map((part) => text(fields(part).text)).join("\n") : text(fields(output).content);
}

function parseArguments(json: string): Fields {
  try {
    return fields(JSON.parse(json));
  } catch {
    return {};
  }
}
