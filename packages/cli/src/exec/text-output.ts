import type { ServerNotification, ThreadItem, TurnPlanStep } from "@quire/protocol";
import { terminalText } from "../lib/terminal-text.ts";
import { type ExecOutput, type ThreadSummary, type TurnEnd, withDetails } from "./output.ts";

/** Codes of terminals for colour and weight. */
const styles = { bold: 1, dim: 2, italic: 3, red: 31, green: 32, yellow: 33, magenta: 35, cyan: 36 } as const;

/** Options of the printed text. */
export interface TextOutputOptions {
  /** The first line, which says what this is. */
  readonly banner: string;
  readonly color: boolean;
  /** Print the model's reasoning. */
  readonly reasoning: boolean;
}

/** `exec` for people: what happens goes to stderr, the last message to stdout. */
export class TextOutput implements ExecOutput {
  readonly #options: TextOutputOptions;
  #diff = "";

  constructor(options: TextOutputOptions) {
    this.#options = options;
  }

  begin({ settings, prompt }: ThreadSummary): void {
    this.#say(this.#options.banner);
    this.#say("--------");
    for (const [name, value] of settings) this.#say(`${this.#styled(`${name}:`, "bold")} ${this.#safe(value)}`);
    this.#say("--------");
    this.#say(`${this.#styled("user", "cyan")}\n${this.#safe(prompt)}`);
  }

  take({ method, params }: ServerNotification): void {
    switch (method) {
      case "item/started":
        this.#itemStarted(params.item);
        return;
      case "item/completed":
        this.#itemCompleted(params.item);
        return;
      case "turn/plan/updated":
        if (params.explanation) this.#say(this.#styled(this.#safe(params.explanation), "italic"));
        for (const step of params.plan) this.#say(this.#planStep(step));
        return;
      case "turn/diff/updated":
        if (params.diff.trim() !== "" && params.diff !== this.#diff) this.#say(this.#safe(params.diff));
        this.#diff = params.diff;
        return;
      case "error":
        this.#error(withDetails(params.error.message, params.error.additionalDetails));
        return;
      case "warning":
        this.#labelled("warning:", params.message);
        return;
      case "configWarning":
        this.#labelled("warning:", withDetails(params.summary, params.details));
        return;
      case "deprecationNotice":
        this.#labelled("deprecated:", params.summary);
        if (params.details) this.#say(this.#styled(this.#safe(params.details), "dim"));
        return;
      case "model/rerouted":
        this.#labelled("model rerouted:", `${params.fromModel} -> ${params.toModel}`);
        return;
      case "hook/started":
        this.#say(`${this.#styled("hook:", "bold")} ${this.#styled(pascal(params.run.eventName), "dim")}`);
        return;
      case "hook/completed": {
        const { eventName, status } = params.run;
        this.#say(
          `${this.#styled("hook:", "bold")} ${this.#styled(pascal(eventName), "dim")} ${pascal(String(status))}`,
        );
      }
    }
  }

  end({ turn, lastMessage, usage }: TurnEnd): void {
    if (turn.status === "failed" && turn.error)
      this.#error(withDetails(turn.error.message, turn.error.additionalDetails));
    if (turn.status === "interrupted") this.#say(this.#styled("turn interrupted", "dim"));
    if (usage) {
      const { inputTokens, cachedInputTokens, outputTokens } = usage.total;
      const used = Math.max(0, inputTokens - cachedInputTokens) + outputTokens;
      this.#say(`${this.#styled("tokens used", "dim")}\n${used.toLocaleString("en-US")}`);
    }
    // On a terminal it is shown above already.
    if (lastMessage === undefined || (process.stdout.isTTY && process.stderr.isTTY)) return;
    process.stdout.write(`${process.stdout.isTTY ? terminalText(lastMessage, { prose: true }) : lastMessage}\n`);
  }

  #itemStarted(item: ThreadItem): void {
    switch (item.type) {
      case "commandExecution":
        this.#say(
          `${this.#styled("exec", "italic", "magenta")}\n${this.#styled(this.#exact(item.command), "bold")} in ${this.#exact(item.cwd)}`,
        );
        return;
      case "mcpToolCall":
        this.#say(`${this.#tool(item.server, item.tool)} ${this.#styled("started", "dim")}`);
        return;
      case "webSearch":
        this.#search(item.query);
        return;
      case "fileChange":
        this.#say(this.#styled("apply patch", "bold"));
        return;
      case "collabAgentToolCall":
        this.#say(`${this.#styled("collab:", "bold")} ${pascal(item.tool)}`);
    }
  }

  #itemCompleted(item: ThreadItem): void {
    switch (item.type) {
      case "agentMessage":
        this.#say(`${this.#styled("codex", "italic", "magenta")}\n${this.#safe(item.text)}`);
        return;
      case "reasoning": {
        const text = (item.summary ?? []).join("\n");
        if (this.#options.reasoning && text.trim() !== "") this.#say(this.#styled(this.#safe(text), "dim"));
        return;
      }
      case "commandExecution": {
        const time = typeof item.durationMs === "number" ? ` in ${item.durationMs}ms` : "";
        const [what, style] = commandEnd(item.status, item.exitCode);
        this.#say(this.#styled(` ${what}${time}:`, style));
        if (item.aggregatedOutput?.trim()) this.#say(this.#safe(item.aggregatedOutput));
        return;
      }
      case "fileChange":
        this.#say(`${this.#styled("patch:", "bold")} ${item.status === "inProgress" ? "in_progress" : item.status}`);
        for (const { path } of item.changes) this.#say(this.#styled(this.#exact(path), "dim"));
        return;
      case "mcpToolCall":
        this.#say(
          `${this.#tool(item.server, item.tool)} (${this.#styled(item.status, item.status === "failed" ? "red" : "green")})`,
        );
        if (item.error) this.#say(this.#styled(this.#safe(item.error.message), "red"));
        return;
      case "webSearch":
        this.#search(item.query);
        return;
      case "contextCompaction":
        this.#say(this.#styled("context compacted", "dim"));
    }
  }

  #planStep({ step, status }: TurnPlanStep): string {
    const text = this.#safe(step);
    if (status === "completed") return `  ${this.#styled("✓", "green")} ${text}`;
    if (status === "inProgress") return `  ${this.#styled("→", "cyan")} ${text}`;
    return `  ${this.#styled("•", "dim")} ${this.#styled(text, "dim")}`;
  }

  #tool(server: string, tool: string): string {
    return `${this.#styled("mcp:", "bold")} ${this.#styled(this.#exact(`${server}/${tool}`), "cyan")}`;
  }

  #search(query: string): void {
    this.#say(`${this.#styled("web search:", "bold")} ${this.#safe(query)}`);
  }

  #error(message: string): void {
    this.#say(`${this.#styled("ERROR:", "red", "bold")} ${this.#safe(message)}`);
  }

  #labelled(label: string, message: string): void {
    this.#say(`${this.#styled(label, "yellow", "bold")} ${this.#safe(message)}`);
  }

  #styled(text: string, ...names: (keyof typeof styles)[]): string {
    return this.#options.color ? names.reduce((inner, name) => `\x1b[${styles[name]}m${inner}\x1b[0m`, text) : text;
  }

  /** Marks control characters for a terminal; a file or a program gets the text as it is. */
  #safe(text: string): string {
    return process.stderr.isTTY ? terminalText(text, { prose: true }) : text;
  }

  #exact(text: string): string {
    return process.stderr.isTTY ? terminalText(text, {}) : text;
  }

  #say(text: string): void {
    process.stderr.write(`${text}\n`);
  }
}

function commandEnd(status: string, exitCode: number | null | undefined): [string, keyof typeof styles] {
  if (status === "completed") return ["succeeded", "green"];
  if (status === "failed") return [`exited ${exitCode ?? 1}`, "red"];
  return status === "declined" ? ["declined", "yellow"] : ["in progress", "dim"];
}

const pascal = (name: string): string => `${name[0]?.toUpperCase() ?? ""}${name.slice(1)}`;
