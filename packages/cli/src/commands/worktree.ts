import { readdirSync } from "node:fs";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { showHelp } from "../lib/show-help.ts";

const flags = {
  branch: {
    type: "text",
    short: "b",
    value: "NAME",
    fallback: "quire/FOLDER",
    help: "The branch to work on; made where there is none.",
  },
  from: { type: "text", value: "REF", fallback: "HEAD", help: "What a new branch starts from." },
  remove: {
    type: "switch",
    help: "Take the current folder out of its repository instead, unless work would be lost. The branch stays.",
  },
} as const satisfies Flags;

/** `quire worktree`. */
export const worktreeSpec: CommandSpec<typeof flags> = {
  name: "quire worktree",
  summary: "Make the current folder a git worktree: for hooks of a workflow",
  operands: "REPOSITORY",
  maxOperands: 1,
  flags,
  examples: [
    ['after_create: "$QUIRE" worktree ~/code/app', "In WORKFLOW.md: each workspace is a branch of its own."],
    ['before_remove: "$QUIRE" worktree --remove', "And goes with its workspace."],
  ],
  notes: "The current folder has to be empty. One that is no worktree is left as it is by --remove.",
};

/** Makes or removes a worktree in the current folder. Gives the exit code. */
export async function worktree(args: readonly string[]): Promise<number> {
  const { flags: given, operands, help } = parseArguments(worktreeSpec, args);
  if (help) return showHelp(worktreeSpec);
  const { addWorktree, removeWorktree } = await import("@quire/orchestrator");
  const folder = process.cwd();
  if (given.remove) {
    process.chdir("/");
    await removeWorktree(folder);
    return 0;
  }
  const [repository] = operands;
  if (repository === undefined) throw new UsageError("a repository is required: quire worktree ~/code/app");
  if (readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty; a worktree is made in an empty folder: mkdir one and call it from there`);
  const branch = await addWorktree({ repository, folder, branch: given.branch, from: given.from });
  process.stdout.write(`${folder} is on ${branch}\n`);
  return 0;
}
