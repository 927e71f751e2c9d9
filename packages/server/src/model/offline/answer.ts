import type { ModelRequest, ToolSpec } from "../model-provider.ts";
import { type Exchange, lastExchange, notesMark } from "./exchange.ts";
import { askedFailure } from "./failures.ts";
import { findTool, toolNames } from "./find-tool.ts";
import { type Command, commandHelp, parseCommands } from "./offline-commands.ts";
import { call, type Part, say } from "./parts.ts";
import { patchPart } from "./patches.ts";
import { nextCall, report } from "./report.ts";
import { schemaSample } from "./schema-sample.ts";

const introduction = "I am Quire's offline model: I answer by fixed rules, without a network.";

/** Maximum pieces of an answer, so that a typing error does not fill the memory. */
const maxPieces = 100_000;

/** The offline model's answer to a request, by the user's last message and what has been done since. */
export function answer(request: ModelRequest): readonly Part[] {
  const exchange = lastExchange(request.input);
  if (exchange.calls.length > 0) {
    const next = nextCall(exchange.calls, request.tools);
    return next ? [next] : [final(request, report(exchange.calls))];
  }
  if (isCompaction(exchange, request)) return [say(notes(exchange))];
  const parts = parseCommands(exchange.text).map((command) => partOf(command, request));
  if (parts.length === 0) return [final(request, echo(exchange))];
  const ends = parts.some(({ kind }) => kind === "say" || kind === "call" || kind === "fail" || kind === "search");
  return ends ? parts : [...parts, final(request, `${introduction} That was all I was asked for.`)];
}

/** The last message of a turn: JSON if requested. */
function final({ outputSchema }: ModelRequest, text: string): Part {
  const schema = outputSchema ?? undefined;
  return say(schema === undefined ? text : JSON.stringify(schemaSample(schema, text)));
}

function partOf(command: Command, request: ModelRequest): Part {
  const { argument } = command;
  switch (command.word) {
    case "write":
    case "edit":
    case "delete":
      return patchPart(command, request.tools);
    case "think":
      return { kind: "think", text: whole(command) || "Nothing in particular." };
    case "say":
      return final(request, whole(command));
    case "slow":
      return { kind: "say", text: counted(argument, 20), delayMs: 20 };
    case "words":
      return say(counted(argument, 100));
    case "json":
      return say(JSON.stringify(schemaSample(request.outputSchema ?? jsonAnswer, introduction)));
    case "search":
      return { kind: "search", query: argument };
    case "retry":
      return { kind: "retry", times: count(argument, 1, 10) };
    case "fail":
      return { kind: "fail", failure: askedFailure(argument) };
    case "help":
      return final(request, help(request));
    default:
      return toolPart(command, request);
  }
}

/** A tool call, or a message that the tool is missing. */
function toolPart(command: Command, request: ModelRequest): Part {
  const { word, argument } = command;
  const { tools } = request;
  const use = (name: string, input: object, otherwise = `No tool \`${name}\` is on offer here.`): Part => {
    const tool = findTool(tools, name);
    return tool ? call(tool, input) : final(request, otherwise);
  };
  switch (word) {
    case "run":
      return use("exec_command", { cmd: whole(command) });
    case "input": {
      const [, session, text] = /^(\d+)\s*([\s\S]*)$/.exec(argument) ?? [];
      return use("write_stdin", { session_id: Number(session ?? 0), chars: `${text ?? ""}\n` });
    }
    case "plan": {
      const plan = steps(argument).map((step, index) => ({ step, status: index === 0 ? "in_progress" : "pending" }));
      return use("update_plan", { plan }, `The plan:\n${numbered(argument)}`);
    }
    case "propose":
      return say(`<proposed_plan>\n${numbered(argument)}\n</proposed_plan>`);
    case "ask":
      return use("request_user_input", { questions: [question(argument)] }, argument);
    case "agent":
      return use("spawn_agent", { message: whole(command) });
    case "image":
      return use("view_image", { path: argument });
    default:
      return anyTool(argument, tools, request);
  }
}

/** `name {json}`, or `name text` for a tool that takes text. */
function anyTool(argument: string, tools: readonly ToolSpec[], request: ModelRequest): Part {
  const [, name = "", input = ""] = /^(\S+)\s*([\s\S]*)$/.exec(argument) ?? [];
  const tool = findTool(tools, name);
  if (tool) return call(tool, tool.custom ? input : input || "{}");
  return final(request, `No tool \`${name}\` is on offer. There are: ${toolNames(tools).join(", ") || "none"}.`);
}

/** `Question? one | two`; without choices, yes and no. */
function question(argument: string): object {
  const [, text = argument, rest = ""] = /^([^?]*\?)\s*([\s\S]*)$/.exec(argument) ?? [];
  const labels = rest.split("|").map((label) => label.trim());
  const options = labels.some(Boolean) ? labels.filter(Boolean) : ["Yes", "No"];
  return {
    id: "question",
    header: "Question",
    question: text.trim(),
    options: options.map((label) => ({ label, description: label })),
  };
}

function whole({ argument, body }: Command): string {
  return `${argument}\n${body}`.trim();
}

function steps(argument: string): string[] {
  const found = argument.split(/[;\n]/).map((step) => step.trim());
  return found.some(Boolean) ? found.filter(Boolean) : ["Think of a plan"];
}

function numbered(argument: string): string {
  return steps(argument)
    .map((step, index) => `${index + 1}. ${step}`)
    .join("\n");
}

function counted(argument: string, fallback: number): string {
  return Array.from({ length: count(argument, fallback, maxPieces) }, (_, index) => `word${index + 1}`).join(" ");
}

function count(argument: string, fallback: number, max: number): number {
  const number = Number.parseInt(argument, 10);
  return Number.isNaN(number) ? fallback : Math.min(Math.max(number, 1), max);
}

const jsonAnswer = { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] };

function echo({ text, images }: Exchange): string {
  const seen = images > 0 ? ` I cannot look at the ${images === 1 ? "picture" : `${images} pictures`}.` : "";
  const said = text === "" ? "You said nothing." : `You said: “${shortened(text)}”.`;
  return `${introduction} ${said}${seen} Try \`run: ls -la\`, \`plan: read; change; test\` or \`help\`. To use a real model, set a provider in config.toml or OPENAI_API_KEY.`;
}

function help({ tools }: ModelRequest): string {
  const names = toolNames(tools).join(", ") || "none";
  return `${introduction} What I can do:\n\n${commandHelp.map((each) => `- ${each}`).join("\n")}\n\nTools on offer: ${names}.`;
}

/** A long message that asks for notes or a summary without tools is the server's own compaction. */
function isCompaction({ text }: Exchange, { tools }: ModelRequest): boolean {
  return tools.length === 0 && text.length > 300 && /\b(notes|summar)/i.test(text) && parseCommands(text).length === 0;
}

function notes({ earlier }: Exchange): string {
  const asked = earlier.slice(-20).map((text) => `- ${shortened(text)}`);
  return `${notesMark} The user has said so far:\n${asked.join("\n") || "- nothing"}`;
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
