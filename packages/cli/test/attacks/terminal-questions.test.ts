/** Attacks: questions in the terminal. */
import type { ElicitationRequest } from "@quire/client";
import { visibleKeys } from "@quire/protocol";
import { attack } from "@quire/testkit/attack";
import { jsonText } from "../../src/lib/json-text.ts";
import { table } from "../../src/lib/table.ts";
import { describeElicitation } from "../../src/run/describe-question.ts";
import { quoted } from "../../src/run/quoted.ts";

const columns = 60;

/** What a terminal shows in the end. Knows what the attacks below use. */
function screen(text: string): string[] {
  const rows: string[] = [""];
  let [row, column, concealed] = [0, 0, false];
  const put = (char: string) => {
    const line = (rows[row] ?? "").padEnd(column);
    rows[row] = line.slice(0, column) + (concealed ? " " : char) + line.slice(column + 1);
    if (++column < columns) return;
    row++;
    column = 0;
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what terminals read
  for (const [part] of text.matchAll(/\x1b\[[\d;]*[A-Za-z]|\x1b\][^\x07]*\x07|[\s\S]/g)) {
    if (part === "\n") [row, column] = [row + 1, 0];
    else if (part === "\r") column = 0;
    else if (part === "\b") column = Math.max(0, column - 1);
    else if (part === "\x1b[2K") rows[row] = "";
    else if (part === "\x1b[A") row = Math.max(0, row - 1);
    else if (part === "\x1b[2J") rows.fill("");
    else if (part === "\x1b[8m") concealed = true;
    else if (part === "\x1b[0m") concealed = false;
    else if (!part.startsWith("\x1b")) put(part);
  }
  return rows.map((line) => line ?? "");
}

/** The question about a command, as it is now and as it was: put on the terminal as it came. */
const asked = (guarded: boolean, command: string): string[] =>
  screen(`Run this command?\n${guarded ? quoted(command, columns).join("\n") : `  ${command}`}\n[y]es, [n]o: `);

const payload = "rm -rf ~";
const hidden: readonly { readonly name: string; readonly command: string }[] = [
  { name: "erases its command from the terminal", command: `${payload}\x1b[2K\r  ls` },
  { name: "writes over its command with a carriage return", command: `${payload}\r  ls       ` },
  { name: "writes over its command with backspaces", command: `${payload}${"\b".repeat(8)}ls      ` },
  { name: "goes up a line and writes over its command", command: `${payload}\n\x1b[A\x1b[2K  ls` },
  { name: "clears the whole screen before the question", command: `${payload}\x1b[2J` },
  { name: "conceals its command by a colour", command: `ls \x1b[8m${payload}\x1b[0m` },
  { name: "hides its command in a window title", command: `ls \x1b]0;${payload}\x07` },
  { name: "hides its command in the target of a link", command: `ls \x1b]8;;${payload}\x07` },
];
for (const { name, command } of hidden)
  attack(name, (guarded) => !asked(guarded, command).some((line) => line.includes(payload)));

const forged: readonly { readonly name: string; readonly command: string; readonly line: string }[] = [
  { name: "forges the folder that it runs in", command: "x\n  in /safe", line: "  in /safe" },
  { name: "forges a second question", command: "x\nRun this command?\n  ls", line: "  ls" },
  {
    name: "forges a line by the width of the terminal",
    command: `${"x".repeat(columns - 2)}  in /safe`,
    line: "  in /safe",
  },
];
for (const { name, command, line } of forged)
  attack(name, (guarded) => asked(guarded, command).some((shown) => shown.trimEnd() === line));

attack("writes to the clipboard through a question", (guarded) => {
  const command = "ls\x1b]52;c;cm0gLXJm\x07";
  return (guarded ? quoted(command).join("\n") : command).includes("\x1b]52");
});
attack("forges a row in the list of threads by a name", (guarded) => {
  const name = "x\nt2  harmless";
  return (guarded ? table([["t1", name]]) : `t1  ${name}\n`).split("\n").some((row) => row.startsWith("t2"));
});
attack("sets the terminal's title by a thread's name", (guarded) => {
  const name = "\x1b]0;root\x07";
  return (guarded ? table([["t1", name]]) : `t1  ${name}\n`).includes("\x1b]0;");
});

const keys: readonly { readonly name: string; readonly typed: string; readonly mark: string }[] = [
  { name: "types an Enter that nobody sees into a program", typed: "exit()\n", mark: "⏎" },
  { name: "types an interrupt that nobody sees into a program", typed: "q\x03", mark: "^C" },
  { name: "types an end of input that nobody sees into a program", typed: "q\x04", mark: "^D" },
  { name: "types an escape sequence that nobody sees into a program", typed: "q\x1b[A", mark: "Esc" },
];
for (const { name, typed, mark } of keys)
  attack(
    name,
    (guarded) =>
      !screen(guarded ? quoted(visibleKeys(typed)).join("\n") : typed)
        .join("\n")
        .includes(mark),
  );
attack("types a second line that passes for a line of the question", (guarded) => {
  const typed = "1\n  in /safe";
  const text = guarded ? quoted(visibleKeys(typed)).join("\n") : `  ${typed}`;
  return screen(text).some((line) => line.trimEnd() === "  in /safe");
});

attack("leaves the end of a long argument of an MCP tool out of the question without a word", (guarded) => {
  const argument = `${"a".repeat(20_000)}; ${payload}`;
  const _meta = { codex_approval_kind: "mcp_tool_call", tool_params: { script: argument } };
  const request = { serverName: "tools", message: "Run it?", params: { _meta } } as unknown as ElicitationRequest;
  // As it was: the arguments on one line, cut to what fits.
  const lines = guarded ? describeElicitation(request) : [`  with ${JSON.stringify(_meta.tool_params).slice(0, 500)}`];
  return !lines.join("").replaceAll("  ┆ ", "").includes(payload);
});

attack("acts on the terminal through printed JSON", (guarded) => {
  const thread = { name: "\x9b2J\x9d0;root\x9c" };
  return /[\x80-\x9f]/.test(guarded ? jsonText(thread) : JSON.stringify(thread));
});
attack("reorders printed JSON", (guarded) => {
  const thread = { name: "\u202eevil" };
  const text = guarded ? jsonText(thread) : JSON.stringify(thread);
  return text.includes("\u202e") || JSON.parse(text).name !== thread.name;
});
