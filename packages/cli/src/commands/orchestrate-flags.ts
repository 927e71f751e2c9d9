import { type CommandSpec, type Flags, portRange } from "../args/flag.ts";

const flags = {
  port: {
    type: "number",
    value: "PORT",
    range: portRange,
    fallback: "server.port of the workflow, else none",
    help: "Serve the status page and API on this port of 127.0.0.1; 0 takes any that is free.",
  },
  once: {
    type: "switch",
    help: "Work on each issue once and leave. An issue that fails is tried three times; the exit code is 1 where one was given up or needs a person.",
  },
  dryRun: {
    type: "switch",
    help: "Show what would be begun, in which order, and with which prompt. Nothing is started or written.",
  },
  agree: {
    type: "switch",
    help: "Show what the workflow runs and with which rights, record that you agree, and leave. An orchestrator that is running uses it from then on.",
  },
} as const satisfies Flags;

/** `quire orchestrate`. */
export const orchestrateSpec: CommandSpec<typeof flags> = {
  name: "quire orchestrate",
  summary: "Work through the issues of a tracker",
  operands: "[WORKFLOW.md]",
  maxOperands: 1,
  flags,
  notes:
    "The first Ctrl-C lets runs end with their turn, a second one ends them at once. The exit code is 0 when all is done or drained, 1 when it failed, 130 when it was stopped.",
  examples: [
    ["quire orchestrate --dry-run", "What WORKFLOW.md of this folder would do now."],
    ["quire orchestrate --port 4510", "Works until Ctrl-C; http://127.0.0.1:4510 shows how it goes."],
    ["quire orchestrate ops/WORKFLOW.md --once", "For a nightly job: each open issue once, then it ends."],
    ["quire orchestrate --agree", "After WORKFLOW.md has changed: look at its hooks and rights, and agree."],
  ],
};
