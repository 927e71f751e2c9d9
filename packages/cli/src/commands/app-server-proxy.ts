import { connect } from "node:net";
import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec, Flags } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { showHelp } from "../lib/show-help.ts";
import { watchOutput } from "../lib/watch-output.ts";

const flags = {
  sock: {
    type: "text",
    value: "SOCKET_PATH",
    fallback: "the socket of the daemon",
    help: "Path of the app-server's Unix socket.",
  },
  ...configFlags,
} as const satisfies Flags;

const proxySpec: CommandSpec<typeof flags> = {
  name: "quire app-server proxy",
  summary: "Connect stdin and stdout to a running app-server's socket",
  flags,
  examples: [["ssh HOST quire app-server proxy", "Use the daemon of another machine."]],
};

/** Passes bytes on until either side is done. Returns the exit code. */
export async function proxy(args: readonly string[]): Promise<number> {
  const { flags: given, help } = parseArguments(proxySpec, args);
  if (help) return showHelp(proxySpec);
  const { defaultSocketPath, resolveHome } = await import("@quire/server/startup");
  const path = given.sock ?? defaultSocketPath(resolveHome(process.env));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const printed = watchOutput();
  const socket = connect(path);
  socket.on("error", (error) =>
    reject(new Error(`no app-server at ${path}: ${error.message}. Start one with quire app-server daemon start.`)),
  );
  socket.on("connect", () => {
    process.stdin.pipe(socket);
    socket.pipe(process.stdout);
  });
  socket.on("close", () => resolve(0));
  try {
    const code = await promise;
    // What was passed on may still wait in the pipe; the process ends when this returns.
    return await printed(code);
  } finally {
    socket.destroy();
  }
}
