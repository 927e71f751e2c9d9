import { authOptions } from "../args/auth-flags.ts";
import { configOverrides } from "../args/config-flags.ts";
import type { FlagValues } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { showHelp } from "../lib/show-help.ts";
import { stopSignal } from "../lib/stop-signal.ts";
import { execServerSpec, refusedFlags } from "./exec-server-flags.ts";

type Given = FlagValues<(typeof execServerSpec)["flags"]>;

/** Serves app-servers until a signal stops it. Returns the exit code. */
export async function execServer(args: readonly string[]): Promise<number> {
  if (args[0] === "forward") throw new UsageError(`\`forward\` is not supported: ${refusedFlags.remote.help}`);
  const { flags, help } = parseArguments(execServerSpec, args);
  if (help) return showHelp(execServerSpec);
  refuseUnsupported(flags);
  configOverrides(flags);
  if (flags.strictConfig) (await import("@quire/server/startup")).checkStrictConfig({ env: process.env });
  const { createExecServer, listenExecServer } = await import("@quire/server/exec-server");
  const secretFile = flags.wsTokenFile ?? flags.wsSharedSecretFile;
  if (secretFile !== undefined) (await import("../lib/warn-if-readable.ts")).warnIfReadable(secretFile);
  await using server = createExecServer({ concurrentRequests: flags.concurrentRequests });
  const listener = listenExecServer(server, { url: flags.listen ?? "ws://127.0.0.1:0", auth: authOptions(flags) });
  const isSocket = listener.address !== "stdio://";
  // Programs read the address from stdout.
  if (isSocket) process.stdout.write(`${listener.address}\n`);
  const leaves = flags.exitOnStdinClose || /^(1|true)$/i.test(process.env.CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE ?? "");
  await Promise.race([listener.closed, stopSignal(), ...(isSocket && leaves ? [stdinClosed()] : [])]);
  await server.close();
  await listener.close();
  return 0;
}

function refuseUnsupported(flags: Given): void {
  const given = Object.keys(refusedFlags) as (keyof typeof refusedFlags)[];
  const found = given.find((name) => flags[name] !== undefined && flags[name] !== false);
  const words = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (found) throw new UsageError(`--${words(found)}: ${refusedFlags.remote.help}`);
  if (flags.linuxSandboxPidNamespace === "inherit")
    throw new UsageError(
      "--linux-sandbox-pid-namespace inherit is not supported: confined commands see their own processes",
    );
}

async function stdinClosed(): Promise<void> {
  for await (const _ of Bun.stdin.stream());
}
