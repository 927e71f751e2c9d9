import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { UserInput } from "@quire/protocol";
import { configOverrides } from "../args/config-flags.ts";
import { type FlagValues, flagName } from "../args/flag.ts";
import { UsageError } from "../args/usage-error.ts";
import { isInRepository } from "../exec/in-repository.ts";
import type { ThreadChoice } from "../exec/open-thread.ts";
import type { ExecOutput } from "../exec/output.ts";
import { ExecError } from "../exec/prompt.ts";
import { runExec, type Work } from "../exec/run-exec.ts";
import { type execSpec, unsupportedFlags } from "./exec-flags.ts";

/** Values of the options of `exec`. */
export type ExecFlagValues = FlagValues<(typeof execSpec)["flags"]>;

/** Checks what can be checked beforehand, then does the work. Returns the exit code. */
export async function start(
  flags: ExecFlagValues,
  choice: ThreadChoice,
  prepare: () => Promise<{ readonly work: Work; readonly prompt: string }>,
): Promise<number> {
  const isUnconfined = flags.dangerouslyBypassApprovalsAndSandbox;
  try {
    refuseUnsupported(flags);
    const overrides = { ...configOverrides(flags), ...flagOverrides(flags) };
    const cwd = folder(flags.cd);
    const { work, prompt } = await prepare();
    if (!flags.skipGitRepoCheck && !isUnconfined && !isInRepository(cwd))
      throw new ExecError("Not inside a trusted directory and --skip-git-repo-check was not specified.");
    if (flags.strictConfig) (await import("@quire/server/startup")).checkStrictConfig({ env: process.env, overrides });
    return await runExec({
      overrides,
      beforeThread: async (link) => {
        if (flags.trust) await (await import("./trust-project.ts")).trustThisProject(link, cwd);
      },
      choice,
      settings: {
        cwd,
        model: flags.model,
        sandbox: isUnconfined
          ? "danger-full-access"
          : (flags.sandbox ?? (flags.fullAuto || flags.approveForMe ? "workspace-write" : undefined)),
        addDir: flags.addDir,
        autoReview: flags.approveForMe && !isUnconfined,
        ephemeral: flags.ephemeral,
        threadSource: flags.threadSource,
      },
      work,
      prompt,
      output: await outputFor(flags, overrides),
      isJson: flags.json,
      lastMessageFile: flags.outputLastMessage,
    });
  } catch (error) {
    if (!(error instanceof ExecError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function refuseUnsupported(flags: ExecFlagValues): void {
  for (const [name, { help }] of Object.entries(unsupportedFlags)) {
    const isGiven = flags[name as keyof typeof unsupportedFlags];
    if (isGiven) throw new UsageError(`'${flagName(name)}' is not supported${help.slice(help.indexOf(":"))}`);
  }
}

/** Images, which come before the text. */
export function imageInput(files: readonly string[]): UserInput[] {
  return files.map((file) => ({ type: "localImage", path: resolve(file) }));
}

function folder(given: string | undefined): string {
  try {
    return realpathSync(given ?? ".");
  } catch (error) {
    throw new Error(`--cd ${given}: ${(error as Error).message}`, { cause: error });
  }
}

function flagOverrides({ oss, localProvider, profile, search }: ExecFlagValues): Record<string, unknown> {
  if (oss && localProvider === undefined)
    throw new UsageError("--oss needs --local-provider PROVIDER: a provider of config.toml, under model_providers");
  return {
    ...(localProvider !== undefined && { model_provider: localProvider }),
    ...(profile !== undefined && { profile }),
    ...(search && { web_search: "live" }),
  };
}

async function outputFor(flags: ExecFlagValues, overrides: Record<string, unknown>): Promise<ExecOutput> {
  if (flags.json) return new (await import("../exec/json-output.ts")).JsonOutput();
  const [{ TextOutput }, { codexVersion, quireVersion }] = await Promise.all([
    import("../exec/text-output.ts"),
    import("@quire/server"),
  ]);
  const isAuto = flags.color === undefined || flags.color === "auto";
  return new TextOutput({
    banner: `Quire v${quireVersion} (Codex v${codexVersion})`,
    color: isAuto ? process.stderr.isTTY && !process.env.NO_COLOR : flags.color === "always",
    reasoning: overrides.hide_agent_reasoning !== true,
  });
}
