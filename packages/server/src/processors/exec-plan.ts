import { isAbsolute, resolve } from "node:path";
import type { CommandExecParams, SandboxPolicy } from "@quire/protocol";
import { profileMode, unknownProfile } from "../config/permission-profiles.ts";
import type { ServerContext } from "../context/server-context.ts";
import { coreOf } from "../features/open-core.ts";
import { internalError, invalidRequest } from "../lib/rpc-errors.ts";
import {
  checkCommand,
  defaultOutputCap,
  defaultTimeoutMs,
  invalidParams,
  mergedEnvironment,
  terminalSize,
} from "../run/commands/checks.ts";
import type { CommandPlan } from "../run/commands/client-command.ts";
import { commandVariables, environmentPolicy } from "../run/process/command-variables.ts";
import { secretVariables } from "../run/process/secret-variables.ts";
import { sandboxLauncher } from "../run/sandbox/sandbox-launcher.ts";
import { completePolicy, resolveConfig, sandboxPolicy } from "../thread/open-settings.ts";

/** The plan of a `command/exec`. Throws for an invalid request. */
export function execPlan(params: CommandExecParams, server: ServerContext): CommandPlan {
  checkCommand(params.command);
  checkExclusive(params);
  const tty = terminalSize(params, "command/exec", "command/exec");
  const streaming = params.tty || params.streamStdin || params.streamStdoutStderr;
  if (streaming && typeof params.processId !== "string") {
    throw invalidRequest("command/exec tty or streaming requires a client-supplied processId");
  }
  return {
    launch: confined(params, server),
    tty,
    streamStdin: params.streamStdin || tty !== undefined,
    streamOutput: params.streamStdoutStderr || tty !== undefined,
    outputCap: params.disableOutputCap ? Number.POSITIVE_INFINITY : (params.outputBytesCap ?? defaultOutputCap),
    timeoutMs: params.disableTimeout ? undefined : (params.timeoutMs ?? defaultTimeoutMs),
  };
}

function checkExclusive(params: CommandExecParams): void {
  const { timeoutMs, disableTimeout, outputBytesCap, disableOutputCap } = params;
  if (typeof timeoutMs === "number" && disableTimeout) {
    throw invalidParams("command/exec cannot set both timeoutMs and disableTimeout");
  }
  if (typeof outputBytesCap === "number" && disableOutputCap) {
    throw invalidParams("command/exec cannot set both outputBytesCap and disableOutputCap");
  }
  if (typeof timeoutMs === "number" && timeoutMs < 0) {
    throw invalidParams(`command/exec timeoutMs must be non-negative, got ${timeoutMs}`);
  }
  if (params.permissionProfile && params.sandboxPolicy) {
    throw invalidRequest("`permissionProfile` cannot be combined with `sandboxPolicy`");
  }
}

/** The command in its sandbox: the requested one, else the configured one of its folder. */
function confined(params: CommandExecParams, server: ServerContext): CommandPlan["launch"] {
  const cwd = params.cwd && isAbsolute(params.cwd) ? params.cwd : resolve(params.cwd ?? ".");
  const config = resolveConfig(coreOf(server), cwd, null);
  const inherited = commandVariables(environmentPolicy(config.raw), server.env, secretVariables(config));
  const env = mergedEnvironment(inherited, params.env);
  const launcher = sandboxLauncher({ home: server.home, env: server.env });
  const policy = chosenPolicy(params, config);
  try {
    return launcher({ argv: params.command, cwd, env }, { policy, workspace: [cwd], tty: params.tty === true });
  } catch (error) {
    throw internalError(`failed to spawn command: ${(error as Error).message}`);
  }
}

function chosenPolicy(params: CommandExecParams, config: ReturnType<typeof resolveConfig>): SandboxPolicy {
  if (params.sandboxPolicy) return completePolicy(params.sandboxPolicy);
  if (!params.permissionProfile) return config.sandboxPolicy;
  const mode = profileMode(params.permissionProfile);
  if (mode === undefined)
    throw invalidRequest(`invalid permission profile: ${unknownProfile(params.permissionProfile)}`);
  return sandboxPolicy(mode, config);
}
