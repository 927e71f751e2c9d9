import { spawnTransport } from "@quire/jsonrpc/stdio";
import { containedFolder } from "../workspace/containment.ts";
import { runLocalGit } from "../workspace/safe-git.ts";
import { Workspaces } from "../workspace/workspaces.ts";
import type { Executor } from "./executor.ts";

/** Longest line that an app-server may send. */
export const maxLineBytes: number = 10 * 1024 * 1024;
/** Time that an app-server has to exit by itself. */
export const shutdownMs = 1000;

/** This machine. What it starts ends with the orchestrator, so there is nothing to reap while it runs. */
export const localExecutor: Executor = {
  host: null,
  workspaces: (options) => new Workspaces(options),
  async check(workspace, root) {
    const real = await containedFolder(root, workspace);
    if (real !== workspace) throw new Error(`${workspace} leads to ${real}`);
  },
  dial({ command, workspace, env, onStderr, onProcess }) {
    const transport = spawnTransport({
      command: "bash",
      args: ["-lc", command],
      cwd: workspace,
      env,
      maxMessageBytes: maxLineBytes,
      shutdownMs,
      guard: true,
      onStderr,
    });
    if (transport.pid !== undefined) onProcess(transport.pid);
    return transport;
  },
  git: runLocalGit,
  gitAddress: (path) => ({ address: path, env: {} }),
  reap: async () => undefined,
  probe: async () => undefined,
};
