import { WorkflowError } from "./workflow-error.ts";

/** A host as OpenSSH takes it. */
export interface SshAddress {
  /** As the workflow has it: `build-1`, `ann@10.0.0.2:2222`. */
  readonly name: string;
  /** With the user, without the port. */
  readonly target: string;
  readonly port: string | null;
}

/** Reads a host. Nothing that begins like an option is one. */
export function sshAddress(name: string): SshAddress {
  const [, user = "", host, port = null] =
    /^((?:[A-Za-z0-9_][\w.-]*)@)?([A-Za-z0-9_][\w.-]*|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/.exec(name) ?? [];
  if (host !== undefined) return { name, target: user + host.replace(/^\[(.*)\]$/, "$1"), port };
  throw new WorkflowError(
    "invalid_workflow_config",
    `worker.ssh_hosts has ${JSON.stringify(name)}: write host, user@host or host:port`,
  );
}
