import type { Handlers } from "../context/processor.ts";
import { checkSize, resizeTerminal, writeInput } from "../run/commands/checks.ts";
import { ClientCommand } from "../run/commands/client-command.ts";
import { tablePerConnection } from "../run/commands/command-table.ts";
import { execPlan } from "./exec-plan.ts";

const tableOf = tablePerConnection({
  duplicate: "duplicate active command/exec process id",
  missing: "no active command/exec for process id",
});

/** Commands that a client runs in the server's sandbox, without a thread. */
export const handlers: Handlers = {
  "command/exec": async (params, { connection, server }) => {
    const table = tableOf(connection);
    const plan = execPlan(params, server);
    const processId = params.processId ?? undefined;
    const command = table.add(
      processId,
      () =>
        new ClientCommand(plan, {
          owner: table.owner,
          noun: "command",
          onOutput: (stream, { bytes, capReached }) => {
            const deltaBase64 = bytes.toBase64();
            connection.notify("command/exec/outputDelta", {
              processId: processId ?? "",
              stream,
              deltaBase64,
              capReached,
            });
            return connection.drained();
          },
        }),
    );
    const { exitCode, stdout, stderr } = await command.ended;
    return { exitCode, stdout, stderr };
  },

  "command/exec/write": async ({ processId, ...params }, { connection }) => {
    const words = { method: "command/exec/write", noun: "command/exec" };
    await writeInput(() => tableOf(connection).get(processId), params, words);
    return {};
  },

  "command/exec/resize": ({ processId, size }, { connection }) => {
    resizeTerminal(tableOf(connection).get(processId), checkSize(size, "command/exec"));
    return {};
  },

  "command/exec/terminate": ({ processId }, { connection }) => {
    tableOf(connection).get(processId).kill();
    return {};
  },
};
