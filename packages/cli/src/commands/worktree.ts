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
    help: "Branch to work on; created if missing.",
  },
  from: { type: "text", value: "REF", fallback: "HEAD", help: "Start point of a new branch." },
  remove: {
    type: "switch",
    help: "Remove the worktree in the current folder, unless that would lose work. Keeps the branch.",
  },
} as const satisfies Flags;

/** `quire worktree`. */
export const worktreeSpec: CommandSpec<typeof flags> = {
  name: "quire worktree",
  summary: "Turn the current folder into a git worktree, for workflow hooks",
  operands: "REPOSITORY",
  maxOperands: 1,
  flags,
  examples: [
    ['after_create: "$QUIRE" worktree ~/code/app', "In WORKFLOW.md: one branch for each workspace."],
    ['before_remove: "$QUIRE" worktree --remove', "Remove it with its workspace."],
  ],
  notes: "The current folder must be empty. --remove leaves folders alone that are not worktrees.",
};

/** Makes or removes a worktree in the current folder. Returns the exit code. */
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
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty: run this in an empty folder`);
  const branch = await addWorktree({ repository, folder, branch: given.branch, from: given.from });
  process.stdout.write(`${folder} is on ${branch}\n`);
  return 0;
}
