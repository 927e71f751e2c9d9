/** The command, input and limits of a helper. */
export interface HelperRun {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: Uint8Array | undefined;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
}

/** The result of a helper. */
export interface HelperEnd {
  readonly code: number | null;
  readonly output: Buffer;
  readonly stopped?: "time" | "output";
}

/** Runs a helper to its end, and no longer than it may. `undefined` where it cannot be started. */
export async function runHelper(run: HelperRun): Promise<HelperEnd | undefined> {
  let child: Bun.Subprocess<Uint8Array | "ignore", "pipe", "ignore">;
  try {
    child = Bun.spawn([...run.argv], {
      cwd: run.cwd,
      env: { ...run.env },
      stdin: run.input ?? "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
  } catch {
    // The folder or the program is not there.
    return undefined;
  }
  let stopped: HelperEnd["stopped"];
  const stop = (why: HelperEnd["stopped"]) => {
    stopped ??= why;
    child.kill("SIGKILL");
  };
  const timer = setTimeout(stop, run.timeoutMs, "time");
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of child.stdout) {
      size += part.length;
      if (size > run.maxOutputBytes) {
        stop("output");
        break;
      }
      parts.push(part);
    }
    const code = await child.exited;
    return { code: child.signalCode === null ? code : null, output: Buffer.concat(parts), ...(stopped && { stopped }) };
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}
