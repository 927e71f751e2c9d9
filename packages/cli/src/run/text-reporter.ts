import { TurnError, type TurnEvent } from "@quire/client";
import { failureMessage } from "@quire/client/link";
import { shellScript, type ThreadItem, type VisibleOptions } from "@quire/protocol";
import { terminalText } from "../lib/terminal-text.ts";
import type { Reporter } from "./reporter.ts";

/** Sets colour and weight, nothing else. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what terminals read
const sgr = /\x1b\[[\d;:]*m/g;
/** Lines shown of the output of a command that failed. */
const shownLines = 10;

/** For people: what the agent says goes to stdout, what it does to stderr. */
export function textReporter(): Reporter {
  const colour = process.stderr.isTTY && !process.env.NO_COLOR;
  const note = (text: string, options: VisibleOptions = { prose: true }) => {
    // What follows the first line is set in, so that it does not pass for a note of its own.
    const lines = terminalText(text, options).replaceAll("\n", "\n  ");
    process.stderr.write(colour ? `\x1b[2m${lines}\x1b[22m\n` : `${lines}\n`);
  };
  /** Messages whose text has been shown as it came. */
  const streamed = new Set<string>();
  let open = false;
  const say = (text: string) => {
    // A file or a program gets what the model wrote; a terminal would act on what is in it.
    process.stdout.write(process.stdout.isTTY ? terminalText(text, { prose: true }) : text);
    open = !text.endsWith("\n");
  };
  const endLine = () => {
    if (open) say("\n");
  };
  const completed = (item: ThreadItem) => {
    if (item.type === "agentMessage" && !streamed.has(item.id)) say(item.text);
    endLine();
    for (const line of summaryOf(item)) note(line);
  };
  return {
    thread: ({ id }) => note(`thread ${id}`),
    warning: (message) => note(`warning: ${message}`),
    event(event: TurnEvent) {
      if (event.type === "agentMessage.delta") {
        streamed.add(event.itemId);
        say(event.delta);
      } else if (event.type === "item.started") {
        endLine();
        const begun = startOf(event.item);
        // What runs is shown as strictly as what is asked about.
        if (begun) note(begun, {});
      } else if (event.type === "item.completed") completed(event.item);
      else if (event.type === "turn.plan.updated") {
        for (const { step, status } of event.plan) note(`${marks[status]} ${step}`);
      } else if (event.type === "error" && event.willRetry) note(event.error.message);
    },
    result({ status, usage }) {
      endLine();
      const tokens = usage ? ` · ${usage.total.totalTokens} tokens` : "";
      note(`${status}${tokens}`);
    },
    failure(error) {
      endLine();
      const details = TurnError.is(error) && error.additionalDetails ? `\n${error.additionalDetails}` : "";
      process.stderr.write(`Error: ${terminalText(`${failureMessage(error)}${details}`, { prose: true })}\n`);
    },
  };
}

const marks = { pending: "[ ]", inProgress: "[~]", completed: "[x]" } as const;

function startOf(item: ThreadItem): string | undefined {
  switch (item.type) {
    case "commandExecution":
      return `$ ${shellScript(item.command)}`;
    case "mcpToolCall":
      return `tool ${item.server}/${item.tool}`;
    case "dynamicToolCall":
      return `tool ${item.tool}`;
    case "contextCompaction":
      return "compacting the context";
    default:
      return undefined;
  }
}

function summaryOf(item: ThreadItem): string[] {
  switch (item.type) {
    case "commandExecution":
      if (item.status === "declined") return ["  declined"];
      if (item.exitCode === 0 || item.exitCode === null || item.exitCode === undefined) return [];
      return [...lastLines(item.aggregatedOutput ?? ""), `  exit code ${item.exitCode}`];
    case "fileChange":
      return item.changes.map(
        ({ path, kind }) => `${item.status === "completed" ? "" : `${item.status}: `}${kind.type} ${path}`,
      );
    case "webSearch":
      return [`web search: ${item.query}`];
    case "plan":
      return item.text.split("\n");
    default:
      return [];
  }
}

function lastLines(text: string): string[] {
  // Colours say nothing here, and could hide what they colour.
  const lines = text.trimEnd().replace(sgr, "").split(/\r?\n/);
  const shown = lines.slice(-shownLines).map((line) => `  ${line}`);
  return lines.length > shownLines ? ["  …", ...shown] : shown;
}
