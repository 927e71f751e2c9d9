import { basename } from "node:path";
import { defaultRoot } from "./default-root.ts";
import type { Settings } from "./settings.ts";
import { sshAddress } from "./ssh-address.ts";
import { WorkflowError } from "./workflow-error.ts";

/** Hosts that runs are spread over; without one, runs are on this machine. */
export interface WorkerConfig {
  readonly sshHosts: readonly string[];
  /** Runs at once on each; null for any number. */
  readonly maxPerHost: number | null;
  /** Folder of the workspaces there: absolute, or below `~`. */
  readonly root: string;
}

/** Reads `worker`. @param written `workspace.root` as it is written, which counts there too if it is a path for any machine. */
export function parseWorker(
  settings: Settings,
  written: string | undefined,
  { path, env }: { readonly path: string; readonly env: Readonly<Record<string, string | undefined>> },
): WorkerConfig {
  const sshHosts = [...new Set((settings.texts("ssh_hosts") ?? []).map((host) => host.trim()))];
  for (const host of sshHosts) sshAddress(host);
  const limit = settings.raw("max_concurrent_agents_per_host");
  const own = settings.text("root");
  if (own !== undefined && !/^(\/|~\/)/.test(own)) {
    throw new WorkflowError("invalid_workflow_config", `worker.root is ${own}: write an absolute path, or one below ~`);
  }
  const isPath = written?.startsWith("/") || written?.startsWith("~/");
  return {
    sshHosts,
    maxPerHost: limit === undefined ? null : settings.integer("max_concurrent_agents_per_host", 1),
    root:
      own ??
      (written !== undefined && isPath
        ? written
        : `~/.local/state/quire/workspaces/${basename(defaultRoot(path, env))}`),
  };
}
