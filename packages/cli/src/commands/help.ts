import type { CommandSpec } from "../args/flag.ts";
import { programName } from "../args/program-name.ts";
import { applySpec } from "../codex/apply.ts";
import { completionSpec } from "../codex/completion.ts";
import { debugSpec } from "../codex/debug.ts";
import { execSpec, reviewSpec } from "../codex/exec-flags.ts";
import { execServerSpec } from "../codex/exec-server-flags.ts";
import { featuresSpec } from "../codex/features.ts";
import { loginSpec, logoutSpec } from "../codex/login.ts";
import { mcpSpec } from "../codex/mcp-flags.ts";
import { mcpServerSpec } from "../codex/mcp-server.ts";
import { sandboxSpec } from "../codex/sandbox.ts";
import { fleetSpec } from "../fleet/fleet-flags.ts";
import { storeSpec } from "../fleet/store-flags.ts";
import { providersSpec } from "../providers/provider-flags.ts";
import { acpSpec } from "./acp.ts";
import { appServerSpec } from "./app-server-flags.ts";
import { doctorSpec } from "./doctor.ts";
import { modelsSpec } from "./models.ts";
import { orchestrateSpec } from "./orchestrate-flags.ts";
import { runSpec } from "./run-flags.ts";
import { threadsSpec } from "./threads.ts";
import { trustSpec } from "./trust.ts";
import { upSpec } from "./up-flags.ts";
import { worktreeSpec } from "./worktree.ts";

/** Prints the list of commands; to stderr with code 2 when a command was missing. Returns the exit code. */
export function help(missing: boolean): number {
  const own = [
    upSpec,
    runSpec,
    orchestrateSpec,
    threadsSpec,
    modelsSpec,
    providersSpec,
    appServerSpec,
    acpSpec,
    worktreeSpec,
    trustSpec,
    storeSpec,
    fleetSpec,
  ];
  const codex = [
    execSpec,
    reviewSpec,
    loginSpec,
    logoutSpec,
    mcpSpec,
    mcpServerSpec,
    execServerSpec,
    featuresSpec,
    sandboxSpec,
    applySpec,
    debugSpec,
  ];
  const text = [
    "A coding agent, and a server for Codex clients.",
    "",
    `Usage: ${programName} COMMAND [OPTIONS]`,
    "",
    "Commands:",
    ...rows([...own, doctorSpec]),
    "",
    "Commands of Codex; a link to quire named `codex` stands in for it:",
    ...rows([...codex, completionSpec]),
    "",
    'Try it:  quire up, or: quire run "What is in this folder?"',
    "",
    "Options:",
    "  -h, --help      Print this help; `quire COMMAND --help` explains a command",
    "  -V, --version   Print the version",
    "",
    "Configuration: config.toml in $QUIRE_HOME, else $CODEX_HOME, else ~/.quire. Without one, the built-in offline model",
    "answers, so you can try everything without a key or a network.",
    "Exit codes: 0 done, 1 failed, 2 wrong command line, 130 interrupted.",
    "",
  ].join("\n");
  (missing ? process.stderr : process.stdout).write(text);
  return missing ? 2 : 0;
}

function rows(specs: readonly Pick<CommandSpec, "name" | "summary">[]): string[] {
  return specs.map(({ name, summary }) => `  ${name.slice(name.indexOf(" ") + 1).padEnd(14)}${summary}`);
}
