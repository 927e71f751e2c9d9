import { sshAddress } from "../workflow/ssh-address.ts";
import { runMark } from "../workspace/run-mark.ts";
import { WorkspaceError } from "../workspace/workspace-error.ts";
import type { Executor } from "./executor.ts";
import { checkScript, reapScript, serveScript } from "./remote-scripts.ts";
import { RemoteWorkspaces, remoteEnv } from "./remote-workspaces.ts";
import { exports, quote } from "./shell-words.ts";
import { SshConnection } from "./ssh-connection.ts";

/** Longest wait for a host to say that it is there. */
const probeMs = 20_000;

/**
 * A host that is reached by ssh: workspaces, hooks and app-servers are there, trackers, tools and credentials here.
 *
 * @param env The orchestrator's own variables.
 */
export function sshExecutor(host: string, env: Readonly<Record<string, string | undefined>>): Executor {
  const address = sshAddress(host);
  const connection = new SshConnection(address, env);
  const runGit: Executor["git"] = async (folder, args, { variables, input }) => {
    const words = ["git", "-C", folder, ...args].map(quote).join(" ");
    const { code, stdout, stderr } = await connection.run(`${exports(variables)}\nexec ${words}`, { input });
    if (code === 0) return stdout;
    const cause = Object.assign(new Error(stderr.trim()), { code });
    throw new Error(`git ${args.slice(0, 2).join(" ")} failed on ${host}: ${stderr.trim() || code}`, { cause });
  };
  return {
    host,
    workspaces: (options) => new RemoteWorkspaces(connection, runGit, options),
    async check(workspace) {
      const { code, stderr } = await connection.run(checkScript(workspace));
      if (code !== 0) throw new Error(`${host}: ${stderr.trim() || `${workspace} is no folder of ours`}`);
    },
    dial({ command, workspace, env: own, onStderr, onProcess }) {
      const mark = own[runMark] ?? "";
      const script = serveScript({ path: workspace, script: command, env: remoteEnv(own), mark });
      const transport = connection.dial(script, onStderr);
      if (transport.pid !== undefined) onProcess(transport.pid);
      return transport;
    },
    git: runGit,
    gitAddress(path) {
      const port = address.port === null ? "" : `:${address.port}`;
      const name = address.target.includes(":") ? address.target.replace(/([^@]+)$/, "[$1]") : address.target;
      const command = ["ssh", ...connection.options].map(quote).join(" ");
      return { address: `ssh://${name}${port}${path}`, env: { GIT_SSH_COMMAND: command, GIT_SSH_VARIANT: "ssh" } };
    },
    async reap(runIds) {
      if (runIds.length > 0) await connection.run(reapScript(runIds));
    },
    async probe(signal) {
      const late = AbortSignal.timeout(probeMs);
      try {
        await connection.run("exit 0", { signal: signal ? AbortSignal.any([signal, late]) : late });
      } catch (error) {
        if (!late.aborted) throw error;
        throw new WorkspaceError("host_lost", `${host} did not answer within ${probeMs / 1000} s`);
      }
    },
  };
}
