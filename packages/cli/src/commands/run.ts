import { statSync } from "node:fs";
import { resolve } from "node:path";
import { OutputError, RpcError, type ThreadHandle, type TurnHandle } from "@quire/client";
import type { FlagValues } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { refuseLinks } from "../exec/refuse-links.ts";
import { showHelp } from "../lib/show-help.ts";
import { canAsk } from "../run/ask.ts";
import { interruptible } from "../run/interruptible.ts";
import { jsonReporter } from "../run/json-reporter.ts";
import { questions } from "../run/questions.ts";
import type { Reporter } from "../run/reporter.ts";
import { textReporter } from "../run/text-reporter.ts";
import { type Connected, connect, isLocal } from "../server/connect.ts";
import { runSpec } from "./run-flags.ts";

type Flags = FlagValues<(typeof runSpec)["flags"]>;

/** Runs a turn in the terminal. Returns the exit code: 0 done, 1 failed, 130 interrupted. */
export async function run(args: readonly string[]): Promise<number> {
  const { flags, operands, help } = parseArguments(runSpec, args);
  if (help) return showHelp(runSpec);
  const prompt = await promptOf(operands[0]);
  const schema = flags.outputSchema === undefined ? undefined : await readSchema(flags.outputSchema, flags.cd);
  if (isLocal(flags.server)) checkFiles(flags);
  const reporter = flags.json ? jsonReporter() : textReporter();
  try {
    return await oneTurn(flags, { prompt, schema, reporter });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    reporter.failure(error);
    return 1;
  }
}

interface Request {
  readonly prompt: string;
  readonly schema: Record<string, unknown> | undefined;
  readonly reporter: Reporter;
}

async function oneTurn(flags: Flags, { prompt, schema, reporter }: Request): Promise<number> {
  const client = { ...questions(), turnIdleTimeoutMs: 0, capabilities: { requiredHumanApproval: canAsk() } };
  await using connected = await connect(flags, { source: "exec", client });
  connected.client.on("warning", ({ message }) => reporter.warning(message));
  const thread = await openThread(connected, flags);
  reporter.thread(thread);
  const input = inputOf(prompt, flags.image);
  const options = { ...(flags.effort !== undefined && { effort: flags.effort }) };
  const turn: TurnHandle<unknown> = schema
    ? thread.run(input, { ...options, output: schema })
    : thread.run(input, options);
  try {
    return await interruptible(turn, () => follow(turn, reporter), connected);
  } catch (error) {
    // Told before the server ends, which may take a moment.
    reporter.failure(error);
    return OutputError.is(error) && error.interrupted ? 130 : 1;
  }
}

async function follow(turn: TurnHandle<unknown>, reporter: Reporter): Promise<number> {
  for await (const event of turn) reporter.event(event);
  const result = await turn;
  reporter.result(result);
  return result.status === "completed" ? 0 : 130;
}

async function openThread({ client }: Connected, flags: Flags): Promise<ThreadHandle> {
  const options = {
    cwd: resolve(flags.cd ?? "."),
    model: flags.model,
    sandbox: flags.sandbox,
    approvalPolicy: flags.approval,
  };
  if (flags.resume === undefined) return client.thread({ ...options, ephemeral: flags.ephemeral || undefined });
  try {
    return await client.resume(flags.resume, flags.cd === undefined ? { ...options, cwd: undefined } : options);
  } catch (error) {
    if (!RpcError.is(error)) throw error;
    throw new Error(`${error.message}. \`quire threads\` lists saved threads.`, { cause: error });
  }
}

/** Catches mistakes that a server would only find in the middle of a turn. */
function checkFiles({ cd, image }: Flags): void {
  if (cd !== undefined && !statSync(cd, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`invalid value '${cd}' for '--cd <DIR>': there is no such folder`);
  for (const file of image) {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw new UsageError(`invalid value '${file}' for '--image <FILE>': there is no such file`);
  }
}

function inputOf(prompt: string, images: readonly string[]) {
  const pictures = images.map((path) => ({ type: "localImage" as const, path: resolve(path) }));
  return [{ type: "text" as const, text: prompt }, ...pictures];
}

async function promptOf(operand: string | undefined): Promise<string> {
  const fromStdin = operand === "-" || (operand === undefined && !process.stdin.isTTY);
  const prompt = fromStdin ? await Bun.stdin.text() : operand;
  if (prompt === undefined || prompt.trim() === "") {
    throw new UsageError('a prompt is required: quire run "What is in this folder?", or `-` to read it from stdin');
  }
  return prompt;
}

async function readSchema(file: string, cd = "."): Promise<Record<string, unknown>> {
  try {
    refuseLinks(file, [resolve(cd)]);
    const schema: unknown = JSON.parse(await Bun.file(file).text());
    if (typeof schema === "object" && schema !== null && !Array.isArray(schema))
      return schema as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`invalid value '${file}' for '--output-schema <FILE>': ${(error as Error).message}`);
  }
  throw new UsageError(`invalid value '${file}' for '--output-schema <FILE>': it holds no JSON Schema object`);
}
