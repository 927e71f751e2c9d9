import { type CommandSpec, type Flags, portRange } from "../args/flag.ts";

const flags = {
  port: {
    type: "number",
    value: "PORT",
    range: portRange,
    fallback: "server.port of the workflow, else none",
    help: "Serve the dashboard and the status API on this port of 127.0.0.1; 0 picks a free one.",
  },
  once: {
    type: "switch",
    help: "Work on each issue once, then exit. A failing issue is tried three times. The exit code is 1 if one was given up or needs a person.",
  },
  dryRun: {
    type: "switch",
    help: "Show which issues would start, in which order and with which prompt. Starts and writes nothing.",
  },
  agree: {
    type: "switch",
    help: "Show the programs and permissions of the workflow, record your approval, then exit. A running orchestrator picks it up.",
  },
} as const satisfies Flags;

/** `quire orchestrate`. */
export const orchestrateSpec: CommandSpec<typeof flags> = {
  name: "quire orchestrate",
  summary: "Work through the issues of a tracker",
  operands: "[init | WORKFLOW.md]",
  maxOperands: 1,
  flags,
  notes:
    "Ctrl-C waits for running turns to finish; a second Ctrl-C stops at once. Exit codes: 0 done or drained, 1 failed, 130 stopped.",
  examples: [
    ["quire orchestrate init", "Write a WORKFLOW.md that delivers pull requests: three questions."],
    ["quire orchestrate --dry-run", "Preview what WORKFLOW.md in this folder would do."],
    ["quire orchestrate --port 4510", "Run until Ctrl-C, with a dashboard at http://127.0.0.1:4510."],
    ["quire orchestrate ops/WORKFLOW.md --once", "For a nightly job: each open issue once, then exit."],
    ["quire orchestrate --agree", "After a change to WORKFLOW.md: review its hooks and permissions, and approve them."],
  ],
};
