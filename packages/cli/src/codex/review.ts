import type { ReviewTarget } from "@quire/protocol";
import type { FlagValues } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { promptFrom } from "../exec/prompt.ts";
import { showHelp } from "../lib/show-help.ts";
import { reviewSpec } from "./exec-flags.ts";
import { start } from "./start-exec.ts";

type Flags = FlagValues<(typeof reviewSpec)["flags"]>;

/** Has changes reviewed. Returns the exit code. */
export async function review(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(reviewSpec, args);
  if (help) return showHelp(reviewSpec);
  const [instructions] = operands;
  const given = [
    ...(flags.uncommitted ? ["--uncommitted"] : []),
    ...(flags.base === undefined ? [] : ["--base <BRANCH>"]),
    ...(flags.commit === undefined ? [] : ["--commit <SHA>"]),
    ...(instructions === undefined ? [] : ["[PROMPT]"]),
  ];
  if (given.length > 1) throw new UsageError(`the argument '${given[0]}' cannot be used with '${given[1]}'`);
  if (flags.title !== undefined && flags.commit === undefined)
    throw new UsageError("'--title <TITLE>' goes with '--commit <SHA>'");
  if (given.length === 0)
    throw new Error("Specify --uncommitted, --base, --commit, or provide custom review instructions");
  return start(flags, { kind: "new" }, async () => {
    const target = await targetOf(flags, instructions);
    return { work: { kind: "review", target }, prompt: hintOf(target) };
  });
}

async function targetOf(
  { uncommitted, base, commit, title }: Flags,
  prompt: string | undefined,
): Promise<ReviewTarget> {
  if (uncommitted) return { type: "uncommittedChanges" };
  if (base !== undefined) return { type: "baseBranch", branch: base };
  if (commit !== undefined) return { type: "commit", sha: commit, title: title ?? null };
  return { type: "custom", instructions: (await promptFrom(prompt)).trim() };
}

function hintOf(target: ReviewTarget): string {
  switch (target.type) {
    case "uncommittedChanges":
      return "current changes";
    case "baseBranch":
      return `changes against '${target.branch}'`;
    case "commit":
      return `commit ${target.sha.slice(0, 7)}${target.title ? `: ${target.title}` : ""}`;
    case "custom":
      return target.instructions;
  }
}
