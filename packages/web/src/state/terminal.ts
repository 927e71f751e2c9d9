import type { ServerPort } from "@quire/client";
import { execOf } from "@quire/client/groups";
import type { TerminalHandle, TerminalOptions } from "./actions.ts";

/** The user's own shell, as a login would start it. */
const defaultCommand = ["/bin/sh", "-c", 'if [ -x "$SHELL" ]; then exec "$SHELL" -l; else exec /bin/sh -l; fi'];

/** Starts a command in a terminal on the server's machine. */
export function openTerminal(port: ServerPort, options: TerminalOptions): TerminalHandle {
  const handle = execOf(port).stream(options.command ?? defaultCommand, {
    cwd: options.cwd,
    tty: true,
    size: { ...options.size },
    env: { TERM: "xterm-256color" },
    // The user's own hands: what holds the agent back is not for them.
    sandboxPolicy: { type: "dangerFullAccess" },
  });
  const output = (async () => {
    for await (const bytes of handle.stdout) options.onOutput(bytes);
  })();
  // Awaiting the end shows why it failed.
  output.catch(() => undefined);
  return {
    write: (text) => handle.write(text),
    resize: (size) => handle.resize({ ...size }),
    close: () => void handle.kill().catch(() => undefined),
    exited: handle.exit.then(async ({ exitCode }) => {
      await output.catch(() => undefined);
      return { exitCode };
    }),
  };
}
