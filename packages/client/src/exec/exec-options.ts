import type { CommandExecParams, CommandExecTerminalSize } from "@quire/protocol";
import type { Bytes } from "../lib/base64.ts";

/** Options of `codex.exec()`. */
export interface ExecOptions {
  /** Folder to run it in. Default: the server's own. */
  readonly cwd?: string | undefined;
  /** Variables to set, or with `null` to remove, in the environment that the server gives. */
  readonly env?: CommandExecParams["env"];
  /** The command's permissions. Default: those of the server's configuration. */
  readonly sandboxPolicy?: CommandExecParams["sandboxPolicy"];
  /** A named permission profile instead of `sandboxPolicy`. Experimental. */
  readonly permissionProfile?: CommandExecParams["permissionProfile"];
  /** Text or bytes for stdin, which is then closed. */
  readonly input?: string | Uint8Array | undefined;
  /**
   * The server kills the command after this long; the call rejects with an {@link ExecTimeoutError} then. Default 0: never.
   * (The server's own default is 10 s.)
   */
  readonly timeoutMs?: number | undefined;
  /**
   * The server keeps at most this many bytes of stdout, and as many of stderr; `truncated` tells that it dropped some.
   * Default: 16 MiB for `exec`, no limit for `execStream`.
   */
  readonly maxOutputBytes?: number | undefined;
  /** Aborting kills the command, waits for its end (at most 5 s), and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `codex.exec.stream()`. */
export interface ExecStreamOptions extends ExecOptions {
  /** Runs it in a pseudo-terminal. All its output comes on `stdout`. */
  readonly tty?: boolean | undefined;
  /** The terminal's size to begin with. */
  readonly size?: CommandExecTerminalSize | undefined;
  /** Keeps stdin open for `write()`. Default true: a command that reads it waits for `closeStdin()`. */
  readonly stdin?: boolean | undefined;
  /**
   * Unread bytes held for each of stdout and stderr. The server cannot be slowed down, so what comes while a buffer is
   * full is dropped, and all after it: what is read is always an unbroken beginning. Default 16 MiB.
   */
  readonly maxBufferedBytes?: number | undefined;
}

/** The end of a command. */
export interface ExecExit {
  /** Its exit code; when killed, 137 (Codex 0.118: -1). */
  readonly exitCode: number;
  /** True when it was still running when `kill()` reached it. */
  readonly killed: boolean;
}

/** All that a command left. */
export interface ExecResult extends ExecExit {
  /** Its stdout, read as UTF-8. */
  readonly stdout: string;
  /** Its stderr, read as UTF-8. */
  readonly stderr: string;
  /** Its stdout, byte for byte (on Codex 0.98: as far as it was UTF-8). */
  readonly stdoutBytes: Bytes;
  /** Its stderr, byte for byte (on Codex 0.98: as far as it was UTF-8). */
  readonly stderrBytes: Bytes;
  /** True when output beyond `maxOutputBytes` was dropped. */
  readonly truncated: boolean;
}

/** Default of `maxOutputBytes` of `exec`, and of `maxBufferedBytes`. */
export const defaultOutputBytes: number = 16 * 1024 * 1024;
