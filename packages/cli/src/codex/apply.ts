import { configFlags, configOverrides } from "../args/config-flags.ts";
import type { CommandSpec } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { programName } from "../args/program-name.ts";
import { UsageError } from "../args/usage-error.ts";
import { showHelp } from "../lib/show-help.ts";

/** `apply`. */
export const applySpec: CommandSpec<typeof configFlags> = {
  name: `${programName} apply`,
  summary: "Apply the latest changes of a Codex Cloud task to this repository",
  operands: "TASK_ID",
  maxOperands: 1,
  flags: configFlags,
  notes: "Needs a login with ChatGPT. Changes are applied as by `git apply --3way`, and are not committed.",
};

/** Applies a task's changes. Returns the exit code. */
export async function apply(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(applySpec, args);
  if (help) return showHelp(applySpec);
  const [taskId] = operands;
  if (taskId === undefined) throw new UsageError(`a task is required: ${applySpec.name} ${applySpec.operands}`);
  if (!/^\w[\w.-]*$/.test(taskId)) throw new UsageError(`'${taskId}' is not the id of a task, such as task_e_68f1`);
  const root = (await git(["rev-parse", "--show-toplevel"])).replace(/\n$/, "");
  const { fetchTaskDiff, resolveHome } = await import("@quire/server/startup");
  const diff = await fetchTaskDiff({
    taskId,
    home: resolveHome(process.env),
    env: process.env,
    configOverrides: configOverrides(flags),
    warn: (problem) => void process.stderr.write(`warning: ${problem}\n`),
  });
  await git(["apply", "--3way"], { cwd: root, input: diff });
  process.stdout.write("Successfully applied diff\n");
  return 0;
}

/** Runs git and returns its output. Rejects with what git said. */
async function git(args: readonly string[], { cwd = process.cwd(), input = "" } = {}): Promise<string> {
  const argv = ["git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", ...args];
  const child = Bun.spawn(argv, { cwd, stdin: new Blob([input]), stdout: "pipe", stderr: "pipe" });
  const [code, out, said] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if (code !== 0) throw new Error(`git ${args[0]} failed with exit code ${code}:\n${`${out}${said}`.trim()}`);
  return out;
}
