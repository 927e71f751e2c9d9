import { resolve } from "node:path";
import { commandLine } from "../args/command-line.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { readOutputSchema } from "../exec/output-schema.ts";
import { newPrompt, promptFrom } from "../exec/prompt.ts";
import type { Work } from "../exec/run-exec.ts";
import { showHelp } from "../lib/show-help.ts";
import { execSpec, forkSpec, resumeSpec } from "./exec-flags.ts";
import { type ExecFlagValues, imageInput, start } from "./start-exec.ts";

/** Runs a turn for programs. Returns the exit code. */
export async function exec(args: readonly string[]): Promise<number> {
  const [first] = args;
  if (args.length === 1 && (first === "--version" || first === "-V")) return version();
  const { name, args: rest, before } = commandLine(args, execSpec.flags);
  const all = [...before, ...rest];
  switch (name) {
    case "resume":
      return resume(all);
    case "fork":
      return fork(all);
    case "review":
      return (await import("./review.ts")).review(all);
    case "help":
      return showHelp(execSpec);
    default:
      return newThread(args);
  }
}

async function version(): Promise<number> {
  const { codexVersion } = await import("@quire/server");
  process.stdout.write(`codex-cli-exec ${codexVersion}\n`);
  return 0;
}

async function newThread(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(execSpec, args);
  if (help) return showHelp(execSpec);
  return start(flags, { kind: "new" }, async () => turnOf(flags, await newPrompt(operands[0])));
}

async function resume(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(resumeSpec, args);
  if (help) return showHelp(resumeSpec);
  // With --last no thread is named, so that one word is the prompt.
  const isPromptOnly = flags.last && operands.length < 2;
  const [thread, prompt] = isPromptOnly ? [undefined, operands[0]] : operands;
  const choice = { kind: "resume", thread, last: flags.last, all: flags.all } as const;
  return start(flags, choice, async () => turnOf(flags, await promptFrom(prompt)));
}

async function fork(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(forkSpec, args);
  if (help) return showHelp(forkSpec);
  const [thread, prompt] = operands;
  if (thread === undefined) throw new UsageError(`a thread is required: ${forkSpec.name} THREAD [PROMPT]`);
  return start(flags, { kind: "fork", thread }, async () => {
    if (prompt !== undefined) return turnOf(flags, await promptFrom(prompt));
    if (flags.image.length > 0) throw new Error("Forking with images requires a prompt");
    if (flags.outputSchema !== undefined || flags.outputLastMessage !== undefined)
      throw new Error("Forking with output options requires a prompt");
    if (flags.ephemeral) throw new Error("Ephemeral forks require a prompt");
    return { work: { kind: "nothing" }, prompt: "" };
  });
}

async function turnOf(flags: ExecFlagValues, prompt: string): Promise<{ work: Work; prompt: string }> {
  const outputSchema = await readOutputSchema(flags.outputSchema, [resolve(flags.cd ?? "."), ...flags.addDir]);
  const input = [...imageInput(flags.image), { type: "text" as const, text: prompt, text_elements: [] }];
  return { work: { kind: "turn", input, ...(outputSchema !== undefined && { outputSchema }) }, prompt };
}
