import type { Transport } from "@quire/jsonrpc";
import type { Logger } from "../events/events.ts";
import type { HooksConfig } from "../workflow/config.ts";
import type { RunGit } from "../workspace/safe-git.ts";
import type { PreparedWorkspace } from "../workspace/workspaces.ts";

/** The folders that runs work in, on one machine. */
export interface WorkspaceKeeper {
  /** Makes the folder, or takes the one that is there. */
  prepare(identifier: string, signal?: AbortSignal): Promise<PreparedWorkspace>;
  /** Runs `before_run`. Throws where it fails. */
  beforeRun(path: string, signal?: AbortSignal): Promise<void>;
  /** Runs `after_run`. Failure is logged. @param outcome How the run went, for the hook. */
  afterRun(path: string, signal?: AbortSignal, outcome?: string): Promise<void>;
  /** Removes an issue's folder, if there is one; says whether there was. Throws where work would be lost. */
  remove(identifier: string, signal?: AbortSignal): Promise<boolean>;
}

/** Options of a {@link WorkspaceKeeper}. */
export interface KeeperOptions {
  /** Folder of the workspaces. Another machine has its own. */
  readonly root: string;
  readonly hooks: HooksConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  readonly onHook?: ((name: string, error: unknown) => void) | undefined;
}

/** An app-server to start. */
interface DialOptions {
  /** A shell command. */
  readonly command: string;
  /** The run's folder, and the root in which it must be. */
  readonly workspace: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onStderr: (chunk: Uint8Array) => void;
  /** Told the number of the process on this machine. */
  readonly onProcess: (pid: number) => void;
}

/** A machine that runs work. */
export interface Executor {
  /** Name of the host as the workflow has it; null for this machine. */
  readonly host: string | null;
  workspaces(options: KeeperOptions): WorkspaceKeeper;
  /** Throws where the workspace is not a folder of ours directly in the root. */
  check(workspace: string, root: string): Promise<void>;
  /** Starts an app-server in a workspace. Whoever closes the transport ends it with all that it started. */
  dial(options: DialOptions): Transport;
  /** Runs git there. */
  readonly git: RunGit;
  /** Address by which git here reaches a folder there, and variables for it. */
  gitAddress(path: string): { readonly address: string; readonly env: Readonly<Record<string, string>> };
  /** Ends all processes of these runs that are left there. */
  reap(runIds: readonly string[]): Promise<void>;
  /** Throws where the machine cannot be reached. */
  probe(signal?: AbortSignal): Promise<void>;
}
