import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { serverFlags } from "../server/connect.ts";

const flags = {
  json: { type: "switch", help: "Print what happens as JSON, one event per line, the result last." },
  outputSchema: { type: "text", value: "FILE", help: "A JSON Schema that the answer must fit." },
  cd: { type: "text", short: "C", value: "DIR", fallback: "the current folder", help: "The folder to work in." },
  model: { type: "text", short: "m", value: "MODEL", help: "The model; `quire models` lists them." },
  effort: { type: "text", value: "EFFORT", help: "How much the model reasons, such as low, medium or high." },
  sandbox: {
    type: "text",
    short: "s",
    value: "MODE",
    choices: ["read-only", "workspace-write", "danger-full-access"],
    help: "What commands may touch.",
  },
  approval: {
    type: "text",
    short: "a",
    value: "POLICY",
    choices: ["untrusted", "on-failure", "on-request", "never"],
    help: "When you are asked before a command runs. Without a terminal nobody can be asked, and such commands are declined.",
  },
  image: { type: "list", short: "i", value: "FILE", help: "An image to show to the model. May be repeated." },
  resume: { type: "text", value: "THREAD", help: "Go on with a thread; `quire threads` lists them." },
  ephemeral: { type: "switch", help: "Store nothing of it." },
  ...serverFlags,
  ...configFlags,
} as const satisfies Flags;

/** `quire run`. */
export const runSpec: CommandSpec<typeof flags> = {
  name: "quire run",
  summary: "Have one turn done, shown as it happens",
  operands: "PROMPT",
  maxOperands: 1,
  flags,
  examples: [
    ['quire run "Why does the build fail?"', "The answer goes to stdout, what is done to stderr."],
    ["git diff | quire run -", "The prompt comes from stdin."],
    ['quire run --json --output-schema todo.json "List the TODOs" | tail -1', "For programs."],
    [
      'quire run --resume 0190c9a0-0000-7000-8000-000000000000 "And now the tests"',
      "Go on; `quire threads` lists ids.",
    ],
  ],
  notes:
    "The exit code is 0 when the turn completed, 1 when it failed, 2 for a wrong command line, 130 when it was interrupted.",
};
