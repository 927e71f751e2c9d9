import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { serverFlags } from "../server/connect.ts";

const flags = {
  json: { type: "switch", help: "Print events as JSON, one per line, the result last." },
  outputSchema: { type: "text", value: "FILE", help: "JSON Schema for the answer." },
  cd: { type: "text", short: "C", value: "DIR", fallback: "the current folder", help: "Working directory." },
  model: { type: "text", short: "m", value: "MODEL", help: "Model to use; `quire models` lists them." },
  effort: { type: "text", value: "EFFORT", help: "Reasoning effort, such as low, medium or high." },
  sandbox: {
    type: "text",
    short: "s",
    value: "MODE",
    choices: ["read-only", "workspace-write", "danger-full-access"],
    help: "Sandbox for commands.",
  },
  approval: {
    type: "text",
    short: "a",
    value: "POLICY",
    choices: ["untrusted", "on-failure", "on-request", "never"],
    help: "When to ask before running a command. Without a terminal, commands that need approval are declined.",
  },
  image: { type: "list", short: "i", value: "FILE", help: "Image to attach. May be repeated." },
  resume: { type: "text", value: "THREAD", help: "Continue a thread; `quire threads` lists them." },
  ephemeral: { type: "switch", help: "Do not save the thread." },
  ...serverFlags,
  ...configFlags,
} as const satisfies Flags;

/** `quire run`. */
export const runSpec: CommandSpec<typeof flags> = {
  name: "quire run",
  summary: "Run one turn and show its progress",
  operands: "PROMPT",
  maxOperands: 1,
  flags,
  examples: [
    ['quire run "Why does the build fail?"', "The answer goes to stdout, progress to stderr."],
    ["git diff | quire run -", "The prompt comes from stdin."],
    ['quire run --json --output-schema todo.json "List the TODOs" | tail -1', "For programs."],
    [
      'quire run --resume 0190c9a0-0000-7000-8000-000000000000 "And now the tests"',
      "Continue a thread; `quire threads` lists ids.",
    ],
  ],
  notes: "Exit codes: 0 completed, 1 failed, 2 wrong command line, 130 interrupted.",
};
