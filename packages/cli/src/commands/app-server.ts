import type { AuthOptions } from "@quire/server/listen";
import { configOverrides } from "../args/config-flags.ts";
import type { FlagValues } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { showHelp } from "../show-help.ts";
import { stopSignal } from "../stop-signal.ts";
import { appServerSpec } from "./app-server-flags.ts";

type Flags = FlagValues<(typeof appServerSpec)["flags"]>;

/** Serves until its clients are gone or it is told to stop. Gives the exit code. */
export async function appServer(args: readonly string[]): Promise<number> {
  const { flags, help } = parseArguments(appServerSpec, args);
  if (help) return showHelp(appServerSpec);
  const overrides = configOverrides(flags);
  if (flags.printStartupConfig) return printStartupConfig();
  const [{ createLog, createServer }, { ListenError, listen }] = await Promise.all([
    import("@quire/server"),
    import("@quire/server/listen"),
  ]);
  const { env } = process;
  const server = createServer({
    configOverrides: overrides,
    env,
    log: createLog({ level: flags.logLevel, env }),
    ...(flags.sessionSource !== undefined && { sessionSource: sessionSource(flags.sessionSource) }),
  });
  try {
    const listener = await listen(server, {
      url: flags.stdio ? "stdio://" : (flags.listen ?? "stdio://"),
      auth: authOptions(flags),
      allowUnauthenticated: flags.wsAllowUnauthenticated,
      announce: (text) => process.stderr.write(text),
    });
    await Promise.race([listener.closed, stopSignal()]);
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

/** No administrator can require anything of this server's configuration, so there are no requirements. */
async function printStartupConfig(): Promise<number> {
  const { codexVersion } = await import("@quire/server");
  const configRequirements = { supportsIndependentSpeedModes: true, requirements: null };
  process.stdout.write(`${JSON.stringify({ appServerVersion: codexVersion, configRequirements })}\n`);
  return 0;
}

/** `undefined` where no flag of it was given, so that nothing of it is loaded. */
function authOptions(flags: Flags): AuthOptions | undefined {
  const options: AuthOptions = {
    mode: flags.wsAuth,
    tokenFile: flags.wsTokenFile,
    tokenSha256: flags.wsTokenSha256,
    sharedSecretFile: flags.wsSharedSecretFile,
    issuer: flags.wsIssuer,
    audience: flags.wsAudience,
    maxClockSkewSeconds: flags.wsMaxClockSkewSeconds,
  };
  return Object.values(options).some((value) => value !== undefined) ? options : undefined;
}

function sessionSource(name: string): "cli" | "vscode" | "exec" | "appServer" | { readonly custom: string } {
  return name === "cli" || name === "vscode" || name === "exec" || name === "appServer" ? name : { custom: name };
}
