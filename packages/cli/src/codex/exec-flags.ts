import type { CommandSpec, Flags } from "../args/flag.ts";
import { programName } from "../args/program-name.ts";
import { threadFlags } from "./shared-flags.ts";

/** Options of Codex's that are refused, each with what to do instead: to leave one out would do what was not asked for. */
export const unsupportedFlags = {
  ignoreUserConfig: { type: "switch", help: "Not supported: set CODEX_HOME to a folder without a config.toml." },
  ignoreRules: { type: "switch", help: "Not supported: set CODEX_HOME to a folder without rules." },
  dangerouslyBypassHookTrust: { type: "switch", help: "Not supported: trust the project's hooks with --trust." },
  cyberAccessProgram: {
    type: "text",
    value: "PROGRAM",
    help: "Not supported: OpenAI's default for your account applies.",
  },
  worktree: { type: "switch", help: "Not supported: make one with `git worktree add`, and name it with --cd." },
} as const satisfies Flags;

const execFlags = {
  json: {
    type: "switch",
    aliases: ["experimentalJson"],
    help: "Print what happens as JSON, one event per line: thread.started, turn.started, item.*, turn.completed or turn.failed.",
  },
  outputLastMessage: { type: "text", short: "o", value: "FILE", help: "Write the agent's last message to this file." },
  outputSchema: { type: "text", value: "FILE", help: "A JSON Schema that the last message must fit." },
  color: {
    type: "text",
    value: "COLOR",
    choices: ["always", "never", "auto"],
    fallback: "auto",
    help: "When to use colors.",
  },
  ephemeral: { type: "switch", help: "Store nothing of the thread." },
  skipGitRepoCheck: { type: "switch", help: "Work outside a git repository, where changes cannot be undone." },
  trust: {
    type: "switch",
    help: "Trust this project's configuration, hooks and MCP servers, as they are now, from now on.",
  },
  threadSource: { type: "text", value: "SOURCE", help: "Who a new thread is from, such as user." },
  ...unsupportedFlags,
  ...threadFlags,
} as const satisfies Flags;

const notes =
  "Nobody is asked: the model runs only what the sandbox allows, read-only unless you or config.toml say otherwise. The exit code is 0 when the turn completed, 1 when it failed or was interrupted, 2 for a wrong command line.";

/** `exec`. */
export const execSpec: CommandSpec<typeof execFlags> = {
  name: `${programName} exec`,
  summary: "Run one turn without questions, for scripts and programs",
  operands: "[PROMPT]",
  maxOperands: 1,
  flags: execFlags,
  commands: [
    ["resume [ID] [PROMPT]", "Continue a thread; --last takes the newest of this folder"],
    ["fork ID [PROMPT]", "Continue a copy of a thread"],
    ["review [PROMPT]", "Review changes"],
  ],
  examples: [
    [`${programName} exec "Why does the build fail?"`, "What happens goes to stderr, the answer to stdout."],
    [`git diff | ${programName} exec "Write a commit message"`, "What is piped in is added to the prompt."],
    [`${programName} exec --json -s workspace-write "Fix the tests"`, "For programs; may change this folder."],
    [`${programName} exec resume --last "And now the docs"`, "Continues the newest thread."],
  ],
  notes,
};

const resumeFlags = {
  last: { type: "switch", help: "Take the newest thread of this folder." },
  all: { type: "switch", help: "Take threads of other folders too." },
  ...execFlags,
  // One file for each option here, so that the thread's id can follow.
  image: { type: "list", short: "i", value: "FILE", help: "An image to show to the model. May be repeated." },
} as const satisfies Flags;

/** `exec resume`. */
export const resumeSpec: CommandSpec<typeof resumeFlags> = {
  name: `${programName} exec resume`,
  summary: "Continue a thread with another turn",
  operands: "[THREAD] [PROMPT]",
  maxOperands: 2,
  flags: resumeFlags,
  notes: `A thread is named by its id or its name; \`quire threads\` lists them. ${notes}`,
};

/** `exec fork`. */
export const forkSpec: CommandSpec<typeof execFlags> = {
  name: `${programName} exec fork`,
  summary: "Copy a thread, and continue the copy if a prompt is given",
  operands: "THREAD [PROMPT]",
  maxOperands: 2,
  flags: { ...execFlags, image: resumeFlags.image as typeof execFlags.image & typeof resumeFlags.image },
  notes,
};

const reviewFlags = {
  uncommitted: { type: "switch", help: "Review staged, unstaged and untracked changes." },
  base: { type: "text", value: "BRANCH", help: "Review what differs from this branch." },
  commit: { type: "text", value: "SHA", help: "Review what this commit changed." },
  title: { type: "text", value: "TITLE", help: "The commit's title, for the review's heading." },
  ...execFlags,
} as const satisfies Flags;

/** `review`, also as `exec review`. */
export const reviewSpec: CommandSpec<typeof reviewFlags> = {
  name: `${programName} review`,
  summary: "Review changes in this repository",
  operands: "[PROMPT]",
  maxOperands: 1,
  flags: reviewFlags,
  examples: [
    [`${programName} review --uncommitted`, "What you have changed since the last commit."],
    [`${programName} review --base main`, "What your branch adds to main."],
  ],
  notes,
};
