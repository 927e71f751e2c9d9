import type { CommandSpec, Flag } from "./flag.ts";
import { usageOf } from "./parse.ts";

const width = 100;

/** The help of one command. */
export function helpOf(spec: CommandSpec): string {
  const operands = spec.operands ? ` ${spec.operands}` : "";
  const options = Object.entries(spec.flags).map(([name, flag]) => optionHelp(name, flag));
  const examples = (spec.examples ?? []).map(([line, about]) => `  ${line}\n      ${about}`);
  return [
    `${spec.summary}\n`,
    `Usage: ${spec.name} [OPTIONS]${operands}\n`,
    ...(examples.length > 0 ? ["Examples:", ...examples, ""] : []),
    "Options:",
    ...options,
    "  -h, --help\n          Print this help\n",
  ].join("\n");
}

function optionHelp(name: string, flag: Flag): string {
  const head = `  ${flag.short ? `-${flag.short}, ` : "    "}${usageOf(name, flag)}`;
  const notes = [
    flag.choices && `[possible values: ${flag.choices.join(", ")}]`,
    flag.fallback && `[default: ${flag.fallback}]`,
  ].filter((note) => note !== undefined);
  return [head, ...wrapped(flag.help), ...notes.map((note) => `          ${note}`), ""].join("\n");
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = "         ";
  for (const word of text.split(" ")) {
    if (line.length + 1 + word.length > width) {
      lines.push(line);
      line = "         ";
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
