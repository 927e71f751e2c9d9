import { RpcError } from "@quire/jsonrpc";
import { type CommandExecParams, compareVersions, ErrorCodes } from "@quire/protocol";
import type { ExecStreamOptions } from "./exec-options.ts";

/** The first version that streams. */
const streamsSince = "0.113.0";
/** A server without streaming cannot switch its timeout of 10 s off; a day is as good. */
const longestTimeoutMs = 24 * 60 * 60 * 1000;

/** Tells whether a server can stream output. One whose version is not known is taken to be new. */
export function canStream(serverVersion: string | undefined): boolean {
  return serverVersion === undefined || compareVersions(serverVersion, streamsSince) >= 0;
}

/** Throws for a wish that an old server would overlook. */
export function refuseWithoutStreaming(serverVersion: string | undefined, wish: string): void {
  if (canStream(serverVersion)) return;
  const message = `${wish} needs Codex ${streamsSince} or later (you have ${serverVersion})`;
  throw new RpcError({ code: ErrorCodes.methodNotFound, message });
}

/** The words of a command. A text is given to `sh`; on a Windows server, pass the words. */
export function commandWords(command: string | readonly string[]): string[] {
  return typeof command === "string" ? ["sh", "-c", command] : [...command];
}

/** The params with which a command is streamed. */
export function streamParams(processId: string, command: string[], options: ExecStreamOptions): CommandExecParams {
  const { timeoutMs, maxOutputBytes, tty = false, size, stdin = true } = options;
  return {
    ...commonParams(command, options),
    processId,
    streamStdoutStderr: true,
    streamStdin: stdin || options.input !== undefined,
    ...(tty && { tty }),
    ...(size && { size }),
    ...(isLimit(timeoutMs) ? { timeoutMs } : { disableTimeout: true }),
    ...(isLimit(maxOutputBytes) ? { outputBytesCap: maxOutputBytes } : { disableOutputCap: true }),
  };
}

/** The params with which a server runs a command that cannot stream. */
export function bufferedParams(command: string[], options: ExecStreamOptions): CommandExecParams {
  const { timeoutMs } = options;
  return { ...commonParams(command, options), timeoutMs: isLimit(timeoutMs) ? timeoutMs : longestTimeoutMs };
}

/** Tells whether a number of milliseconds or bytes limits anything. */
export function isLimit(limit: number | undefined): limit is number {
  return limit !== undefined && limit > 0 && limit !== Number.POSITIVE_INFINITY;
}

function commonParams(command: string[], options: ExecStreamOptions): CommandExecParams {
  const { cwd, env, sandboxPolicy, permissionProfile } = options;
  return {
    command,
    ...(cwd !== undefined && { cwd }),
    ...(env && { env }),
    ...(sandboxPolicy && { sandboxPolicy }),
    ...(permissionProfile && { permissionProfile }),
  };
}
