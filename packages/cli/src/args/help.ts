import type { CommandSpec, Flag } from "./flag.ts";
import { usageOf } from "./parse.ts";

const width = 100;

/** The help of one command. */
export function formatHelp(spec: CommandSpec): string {
  const operands = spec.operands ? ` ${spec.operands}` : "";
  const options = Object.entries(spec.flags).map(([name, flag]) => optionHelp(name, flag));
  const examples = (spec.examples ?? []).map(([line, about]) => `  ${line}\n      ${about}`);
  const commands = (spec.commands ?? []).map(([name, about]) => `  ${name.padEnd(22)}${about}`);
  return [
    `${spec.summary}\n`,
    `Usage: ${spec.name} [OPTIONS]${operands}\n`,
    ...(examples.length > 0 ? ["Examples:", ...examples, ""] : []),
    ...(commands.length > 0 ? [`Commands (\`${spec.name} COMMAND --help\` explains one):`, ...commands, ""] : []),
    "Options:",
    ...options,
    "  -h, --help\n          Print this help\n",
    ...(spec.notes === undefined ? [] : [...wrapped(spec.notes, ""), ""]),
  ].join("\n");
}

function optionHelp(name: string, flag: Flag): string {
  const head = `  ${flag.short ? `-${flag.short}, ` : "    "}${usageOf(name, flag)}`;
  const notes = [
    flag.choices && `[possible values: ${flag.choices.join(", ")}]`,
    flag.fallback && `[default: ${flag.fallback}]`,
  ].filter((note) => note !== undefined);
  return [head, ...wrapped(flag.help, " ".repeat(10)), ...notes.map((note) => `          ${note}`), ""].join("\n");
}

function wrapped(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return [...lines, indent + line];
}
