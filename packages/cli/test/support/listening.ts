import { eventually } from "@quire/testkit";
import { launcher, type Place } from "./quire.ts";

/** A server that listens. Disposing of it ends it. */
export interface Listening extends AsyncDisposable {
  readonly address: string;
  /** The exit code; null while it runs. */
  readonly exitCode: number | null;
  /** All that it has said on stderr. */
  readonly stderr: () => string;
  /** All that it says on stdout until it ends. */
  readonly stdout: () => Promise<string>;
  /** Ends it and gives the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number>;
}

/** Starts a server and waits for the address that it prints: it listens then, and not before. */
export async function listening(dir: Place, args: readonly string[]): Promise<Listening> {
  const child = Bun.spawn([launcher, "app-server", ...args], {
    cwd: dir.cwd,
    env: dir.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let stderr = "";
  void (async () => {
    for await (const chunk of child.stderr) stderr += new TextDecoder().decode(chunk);
  })();
  const stop = async (signal: NodeJS.Signals = "SIGTERM"): Promise<number> => {
    child.kill(signal);
    return child.exited;
  };
  try {
    const banner = () => /listening on: (\S+)\n/.exec(stderr)?.[1];
    const address = await eventually(banner, { what: "the banner", timeoutMs: 30_000 });
    return {
      address,
      get exitCode() {
        return child.exitCode;
      },
      stderr: () => stderr,
      stdout: () => new Response(child.stdout).text(),
      stop,
      [Symbol.asyncDispose]: async () => void (await stop()),
    };
  } catch (error) {
    await stop("SIGKILL");
    throw error;
  }
}
