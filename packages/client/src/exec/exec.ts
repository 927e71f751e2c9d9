import { uniqueId } from "../lib/unique-id.ts";
import type { ServerPort } from "../port/server-port.ts";
import { ExecTimeoutError } from "./exec-error.ts";
import { ExecHandle } from "./exec-handle.ts";
import { defaultOutputBytes, type ExecOptions, type ExecResult, type ExecStreamOptions } from "./exec-options.ts";
import { bufferedParams, canStream, commandWords, refuseWithoutStreaming, streamParams } from "./exec-params.ts";

/**
 * Runs a command on the server, outside of any thread, and gives all that it wrote. An exit code other than 0 is a
 * result, not an error; a command that takes too long is one. A text is run by `sh -c`.
 *
 * Where the server can, output is streamed underneath: only so do bytes that are no UTF-8 arrive as they were.
 */
export async function exec(
  port: ServerPort,
  command: string | readonly string[],
  options: ExecOptions = {},
): Promise<ExecResult> {
  const { maxOutputBytes = defaultOutputBytes } = options;
  const all = { ...options, maxOutputBytes, maxBufferedBytes: maxOutputBytes, stdin: false };
  const child = start(port, command, all);
  const exit = await child.exit.catch((error: unknown) => {
    if (error instanceof ExecTimeoutError) return error;
    throw error;
  });
  const [stdoutBytes, stderrBytes] = await Promise.all([child.stdout.bytes(), child.stderr.bytes()]);
  const decoder = new TextDecoder();
  const said = { stdout: decoder.decode(stdoutBytes), stderr: decoder.decode(stderrBytes) };
  if (exit instanceof ExecTimeoutError) throw new ExecTimeoutError(options.timeoutMs ?? 0, said);
  return {
    ...exit,
    ...said,
    stdoutBytes,
    stderrBytes,
    truncated: child.stdout.truncated || child.stderr.truncated,
  };
}

/**
 * Starts a command on the server and gives a handle on it at once: streams, stdin, a terminal on demand. Needs Codex
 * 0.113 or later; throws an `RpcError` that says so on an older one.
 */
export function execStream(
  port: ServerPort,
  command: string | readonly string[],
  options: ExecStreamOptions = {},
): ExecHandle {
  refuseWithoutStreaming(port.serverVersion, "Streaming a command");
  return start(port, command, options);
}

function start(port: ServerPort, command: string | readonly string[], options: ExecStreamOptions): ExecHandle {
  const words = commandWords(command);
  if (canStream(port.serverVersion)) {
    return new ExecHandle(port, streamParams(uniqueId("exec"), words, options), options);
  }
  if (options.env) refuseWithoutStreaming(port.serverVersion, "A command's `env`");
  if (options.input !== undefined) refuseWithoutStreaming(port.serverVersion, "A command's `input`");
  return new ExecHandle(port, bufferedParams(words, options), options);
}
