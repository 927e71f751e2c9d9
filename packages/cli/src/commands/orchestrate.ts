import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DryRun, Orchestrator } from "@quire/orchestrator";
import { visibleText } from "@quire/protocol";
import { parseArguments } from "../args/parse.ts";
import { showHelp } from "../lib/show-help.ts";
import { table } from "../lib/table.ts";
import { confirmWorkflow, settingsText } from "../orchestrate/confirm-workflow.ts";
import { runUntilStopped } from "../orchestrate/run-until-stopped.ts";
import { canAsk } from "../run/ask.ts";
import { orchestrateSpec } from "./orchestrate-flags.ts";

/** Works through a tracker. Exit code: 0 done or drained, 1 failed or, with --once, not all done, 130 stopped. */
export async function orchestrate(args: readonly string[]): Promise<number> {
  if (args[0] === "init") return (await import("./orchestrate-init.ts")).orchestrateInit(args.slice(1));
  const { flags, operands, help } = parseArguments(orchestrateSpec, args);
  if (help) return showHelp(orchestrateSpec);
  const {
    Orchestrator,
    dryRun,
    previewAgreement,
    serveOwnStatus,
    showProgress,
    trackerAdapters: adapters,
  } = await import("@quire/orchestrator");
  const [workflow] = operands;
  if (flags.dryRun) {
    process.stdout.write(dryRunText(await dryRun({ workflow, adapters })));
    return 0;
  }
  if (flags.agree) return (await confirmWorkflow(previewAgreement({ workflow, adapters }))) ? 0 : 1;
  if (canAsk()) {
    const preview = previewAgreement({ workflow, adapters });
    if (preview.changes.length > 0 && !(await confirmWorkflow(preview))) return 1;
  }
  const orchestrator = new Orchestrator({ workflow, adapters, once: flags.once, quire: ownProgram() });
  return await runUntilStopped(orchestrator, async () => {
    const port = flags.port ?? orchestrator.config.serverPort;
    const server =
      port === null
        ? undefined
        : serveOwnStatus(orchestrator, {
            port,
            env: process.env,
            webhookSecret: () => orchestrator.config.webhook?.secret ?? null,
          });
    const display = showProgress(orchestrator, { stdout: process.stdout, stderr: process.stderr, status: server });
    try {
      return await workThrough(orchestrator, flags.once);
    } finally {
      display.stop();
      await server?.stop();
    }
  });
}

async function workThrough(orchestrator: Orchestrator, once: boolean): Promise<number> {
  await orchestrator.start();
  await orchestrator.done;
  return once && orchestrator.incomplete ? 1 : 0;
}

/** This very program, for workflows that say `quire app-server`: its launcher, or the one file that holds all of it. */
function ownProgram(): string {
  const launcher = join(dirname(Bun.main), "..", "bin", "quire");
  return existsSync(launcher) ? launcher : process.execPath;
}

function dryRunText({ path, config, settings, warnings, issues, prompt }: DryRun): string {
  const rows = issues.map(({ issue, plan, reason }) =>
    [plan, issue.identifier, issue.state, reason ?? issue.title].map((text) => visibleText(text, { oneLine: true })),
  );
  return [
    `workflow    ${visibleText(path, { oneLine: true })}\n`,
    `limits      ${config.agent.maxConcurrentAgents} at once, ${config.agent.maxTurns} turns each\n`,
    ...warnings.map((warning) => `warning     ${visibleText(warning, { oneLine: true })}\n`),
    `\nPrograms and permissions:\n\n${settingsText(settings)}\n`,
    rows.length === 0 ? "No active issues.\n" : table(rows),
    prompt === null ? "" : `\nFirst prompt:\n\n${visibleText(prompt)}\n`,
  ].join("");
}
