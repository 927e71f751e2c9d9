import type { ServerPort } from "../port/server-port.ts";
import { exec, execStream } from "./exec.ts";
import type { ExecHandle } from "./exec-handle.ts";
import type { ExecOptions, ExecResult, ExecStreamOptions } from "./exec-options.ts";

/** Commands on the server's machine, outside of any thread. */
export interface Exec {
  /** Runs a command and gives all that it wrote: `const { stdout } = await codex.exec("git status")`. */
  (command: string | readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** Starts a command and gives a handle on it: streams, stdin, a terminal on demand. */
  stream(command: string | readonly string[], options?: ExecStreamOptions): ExecHandle;
}

/** The `exec` group of a server. */
export function execOf(port: ServerPort): Exec {
  const run = (command: string | readonly string[], options?: ExecOptions) => exec(port, command, options);
  return Object.assign(run, {
    stream: (command: string | readonly string[], options?: ExecStreamOptions) => execStream(port, command, options),
  });
}
