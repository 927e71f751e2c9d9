import { configFlags, configOverrides } from "../args/config-flags.ts";
import type { CommandSpec } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { programName } from "../args/program-name.ts";
import { UsageError } from "../args/usage-error.ts";
import { repositoryAround } from "../exec/in-repository.ts";
import { showHelp } from "../lib/show-help.ts";

/** `apply`. */
export const applySpec: CommandSpec<typeof configFlags> = {
  name: `${programName} apply`,
  summary: "Apply the latest changes of a Codex Cloud task to this repository",
  operands: "TASK_ID",
  maxOperands: 1,
  flags: configFlags,
  notes:
    "Needs a login with ChatGPT. Changes are applied as by `git apply --3way`, and are not committed. Programs that only the repository's configuration names do not run.",
};

/** Applies a task's changes. Returns the exit code. */
export async function apply(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(applySpec, args);
  if (help) return showHelp(applySpec);
  const [taskId] = operands;
  if (taskId === undefined) throw new UsageError(`a task is required: ${applySpec.name} ${applySpec.operands}`);
  if (!/^\w[\w.-]*$/.test(taskId)) throw new UsageError(`'${taskId}' is not the id of a task, such as task_e_68f1`);
  const root = repositoryAround(process.cwd());
  if (root === undefined) throw new Error("this is not a git repository: call it in the one that the task is about");
  const { fetchTaskDiff, resolveHome } = await import("@quire/server/startup");
  const diff = await fetchTaskDiff({
    taskId,
    home: resolveHome(process.env),
    env: process.env,
    configOverrides: configOverrides(flags),
    warn: (problem) => void process.stderr.write(`warning: ${problem}\n`),
  });
  const { safeGit } = await import("@quire/orchestrator");
  await safeGit(root, ["apply", "--3way"], { input: diff });
  process.stdout.write("Successfully applied diff\n");
  return 0;
}
