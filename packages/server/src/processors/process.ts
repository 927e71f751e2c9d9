import type { ProcessSpawnParams } from "@quire/protocol";
import type { Handlers } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { checkAbsolute } from "../files/paths.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import {
  checkCommand,
  checkSize,
  defaultOutputCap,
  defaultTimeoutMs,
  invalidParams,
  mergedEnvironment,
  resizeTerminal,
  terminalSize,
  writeInput,
} from "../run/commands/checks.ts";
import { ClientCommand, type CommandPlan } from "../run/commands/client-command.ts";
import { tablePerConnection } from "../run/commands/command-table.ts";

const tableOf = tablePerConnection({
  duplicate: "duplicate active process handle",
  missing: "no active process for process handle",
});

/** Processes that a client runs with the server's own rights: no sandbox, and the reply does not wait for their end. */
export const handlers: Handlers = {
  "process/spawn": (params, { connection, server }) => {
    const { processHandle } = params;
    const plan = spawnPlan(params, server);
    const table = tableOf(connection);
    const started = table.add(
      processHandle,
      () =>
        new ClientCommand(plan, {
          owner: table.owner,
          noun: "process",
          onOutput: (stream, { bytes, capReached }) => {
            connection.notify("process/outputDelta", {
              processHandle,
              stream,
              deltaBase64: bytes.toBase64(),
              capReached,
            });
            return connection.drained();
          },
        }),
    );
    void started.ended.then((end) =>
      connection.notify("process/exited", { processHandle, ...end, outputDrainTimedOut: false }),
    );
    return {};
  },

  "process/writeStdin": async ({ processHandle, ...params }, { connection }) => {
    const words = { method: "process/writeStdin", noun: "process" };
    await writeInput(() => tableOf(connection).get(processHandle), params, words);
    return {};
  },

  "process/resizePty": ({ processHandle, size }, { connection }) => {
    resizeTerminal(tableOf(connection).get(processHandle), checkSize(size, "process"));
    return {};
  },

  "process/kill": ({ processHandle }, { connection }) => {
    tableOf(connection).get(processHandle).kill();
    return {};
  },
};

/** An omitted limit has its default, and `null` means none. */
function spawnPlan(params: ProcessSpawnParams, server: ServerContext): CommandPlan {
  checkAbsolute(params.cwd);
  checkCommand(params.command);
  if (params.processHandle === "") throw invalidRequest("processHandle must not be empty");
  const tty = terminalSize(params, "process/spawn", "process");
  const { timeoutMs = defaultTimeoutMs, outputBytesCap = defaultOutputCap } = params;
  if (timeoutMs !== null && timeoutMs < 0) {
    throw invalidParams(`process/spawn timeoutMs must be non-negative, got ${timeoutMs}`);
  }
  return {
    launch: { argv: params.command, cwd: params.cwd, env: mergedEnvironment(server.env, params.env) },
    tty,
    streamStdin: params.streamStdin || tty !== undefined,
    streamOutput: params.streamStdoutStderr || tty !== undefined,
    outputCap: outputBytesCap ?? Number.POSITIVE_INFINITY,
    timeoutMs: timeoutMs ?? undefined,
  };
}
