/** The shell, folders and abilities of the machine of an exec-server. */
export interface ExecEnvironmentInfo {
  readonly shell: { readonly name: string; readonly path: string };
  /** As a `file:` URL, like all paths here. */
  readonly cwd: string | null;
  readonly executorVersion: string;
  readonly userHomeDir: string;
  readonly platformOs: string;
  readonly tempDir: string;
  readonly temporaryDirectories: readonly string[];
  readonly prependPathDirs: readonly string[];
  /** Methods and options beyond the first version; a client leaves alone what is not named or false. */
  readonly capabilities: Readonly<Record<string, boolean>>;
}

/** The reply to `initialize`. */
export interface ExecInitializeReply {
  /** Names the processes and files of this client, for a client that comes back. */
  readonly sessionId: string;
  readonly environmentInfo: ExecEnvironmentInfo;
}

/** The rules by which variables of a command derive from the exec-server's own. */
interface ExecEnvPolicy {
  readonly inherit: "all" | "core" | "none";
  readonly ignoreDefaultExcludes: boolean;
  readonly exclude: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  readonly includeOnly: readonly string[];
}

/** `process/start`. */
export interface ProcessStartParams {
  readonly processId: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** `null` for no other variables than those of `env`. */
  readonly envPolicy: ExecEnvPolicy | null;
  readonly env: Readonly<Record<string, string>>;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  readonly arg0: string | null;
  /** `null` for a command with all rights of the exec-server. */
  readonly sandbox: unknown;
  readonly enforceManagedNetwork: boolean;
  readonly managedNetwork: unknown;
}

/** A piece of output. A terminal has one stream. */
export interface OutputChunk {
  /** Counts a process's output and its end, from 1. */
  readonly seq: number;
  readonly stream: "stdout" | "stderr" | "pty";
  /** In base64. */
  readonly chunk: string;
}

/** `process/read`: output of a process, kept for a client that missed it. */
export interface ProcessReadReply {
  readonly chunks: readonly OutputChunk[];
  /** The number from which to read on. */
  readonly nextSeq: number;
  readonly exited: boolean;
  readonly exitCode: number | null;
  readonly closed: boolean;
  readonly failure: string | null;
  readonly sandboxDenied: boolean;
}

/** Notifications about a process. */
export interface ProcessNotifications {
  readonly "process/output": OutputChunk & { readonly processId: string };
  readonly "process/exited": {
    readonly processId: string;
    readonly seq: number;
    readonly exitCode: number;
    readonly sandboxDenied: boolean;
  };
  readonly "process/closed": { readonly processId: string; readonly seq: number };
}
