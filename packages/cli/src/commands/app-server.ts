import type { Compat, QuireServer } from "@quire/server";
import { authOptions } from "../args/auth-flags.ts";
import { commandLine } from "../args/command-line.ts";
import { configOverrides } from "../args/config-flags.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { showHelp } from "../lib/show-help.ts";
import { stopSignal } from "../lib/stop-signal.ts";
import { providerDefault } from "../server/provider-default.ts";
import { appServerSpec } from "./app-server-flags.ts";

/** Commands of their own that stand behind `app-server`. */
const parts: ReadonlyMap<string, () => Promise<(args: readonly string[]) => Promise<number>>> = new Map(
  Object.entries<() => Promise<(args: readonly string[]) => Promise<number>>>({
    daemon: async () => (await import("./app-server-daemon.ts")).daemon,
    proxy: async () => (await import("./app-server-proxy.ts")).proxy,
    "generate-ts": async () => (await import("./app-server-generate.ts")).generateTs,
    "generate-json-schema": async () => (await import("./app-server-generate.ts")).generateJsonSchema,
  }),
);

/** Time that clients have to read the end of their turns. */
const lastWordsMs = 1000;

/** Serves until its clients disconnect or a signal stops it. Returns the exit code. */
export async function appServer(args: readonly string[]): Promise<number> {
  const { name = "", args: rest } = commandLine(args);
  const part = parts.has(name) ? parts.get(name) : undefined;
  if (part) return (await part())(rest);
  const { flags, help } = parseArguments(appServerSpec, args);
  if (help) return showHelp(appServerSpec);
  const overrides = configOverrides(flags);
  if (flags.strictConfig) (await import("@quire/server/startup")).checkStrictConfig({ env: process.env, overrides });
  if (flags.printStartupConfig) return printStartupConfig();
  const [{ createLog, createServer }, { ListenError, listen }] = await Promise.all([
    import("@quire/server"),
    import("@quire/server/listen"),
  ]);
  const { env } = process;
  const server = createServer({
    configOverrides: overrides,
    ...providerDefault,
    env,
    log: createLog({ level: flags.logLevel, env }),
    ...(flags.compat !== undefined && { compat: await olderCodex(flags.compat) }),
    ...(flags.sessionSource !== undefined && { sessionSource: sessionSource(flags.sessionSource) }),
  });
  const secretFile = flags.wsTokenFile ?? flags.wsSharedSecretFile;
  if (secretFile !== undefined) (await import("../lib/warn-if-readable.ts")).warnIfReadable(secretFile);
  try {
    const listener = await listen(server, {
      url: flags.stdio ? "stdio://" : (flags.listen ?? "stdio://"),
      auth: authOptions(flags),
      allowUnauthenticated: flags.wsAllowUnauthenticated,
      announce: (text) => process.stderr.write(text),
    });
    const isSocket = listener.address !== "stdio://";
    await Promise.race([listener.closed, stopSignal(isSocket ? () => turnsEnded(server) : undefined)]);
    // Before the connections end: clients hear how their turns have ended, if they read.
    await Promise.race([server.close(), Bun.sleep(lastWordsMs)]);
    await listener.close();
  } catch (error) {
    if (error instanceof ListenError && error.usage)
      throw new UsageError(`invalid value for '--listen <URL>': ${error.message}`);
    throw error;
  } finally {
    await server.close();
  }
  return 0;
}

async function olderCodex(version: string): Promise<Compat> {
  const { compatWith, UnknownCodex } = await import("@quire/server/startup");
  try {
    return compatWith(version);
  } catch (error) {
    if (error instanceof UnknownCodex) throw new UsageError(`invalid value for '--compat <VERSION>': ${error.message}`);
    throw error;
  }
}

/** Clients of a socket outlive its server, so their turns are not cut short: as with codex, the first signal waits for them. */
async function turnsEnded(server: QuireServer): Promise<void> {
  const { runningTurns } = server;
  if (runningTurns === 0) return;
  const turns = runningTurns === 1 ? "a turn" : `${runningTurns} turns`;
  process.stderr.write(`waiting for ${turns} to finish; press Ctrl-C again to interrupt\n`);
  await server.idle();
}

/** Prints what an administrator requires, for a client that wants to know it before it starts a server. */
async function printStartupConfig(): Promise<number> {
  const [{ codexVersion }, { startupRequirements }] = await Promise.all([
    import("@quire/server"),
    import("@quire/server/startup"),
  ]);
  const configRequirements = { supportsIndependentSpeedModes: true, requirements: startupRequirements() };
  process.stdout.write(`${JSON.stringify({ appServerVersion: codexVersion, configRequirements })}\n`);
  return 0;
}

function sessionSource(name: string): "cli" | "vscode" | "exec" | "appServer" | { readonly custom: string } {
  return name === "cli" || name === "vscode" || name === "exec" || name === "appServer" ? name : { custom: name };
}
