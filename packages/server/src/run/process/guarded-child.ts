import { closeSync, readFileSync } from "node:fs";
import { guarded, guardName } from "@quire/jsonrpc/processes";
import { type ExitStatus, waitStatus } from "./exit-status.ts";
import { openPipe } from "./pipe.ts";

type Stdio = "pipe" | "ignore" | number | null;

/** As `Bun.spawn` takes them. */
export interface ChildOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The three pipes; left out with a terminal. */
  readonly stdio?: readonly [Stdio, Stdio, Stdio];
  readonly detached?: boolean;
  readonly terminal?: Bun.TerminalOptions;
}

/** A child, and if it is a guard the report of its command's end; nothing is reported when the guard itself was killed. */
export interface GuardedChild {
  readonly child: Bun.Subprocess;
  readonly report?: Promise<ExitStatus | undefined>;
}

/** Starts a program below a guard, or without one where there is none. Throws the system's error. */
export function spawnGuarded(argv: readonly string[], options: ChildOptions): GuardedChild {
  const { cwd, env, stdio = [null, null, null] } = options;
  const words = guarded({ argv, cwd, env, ending: "report" });
  const pipe = words && openPipe();
  const common = { ...options, env: { ...env } };
  if (!words || !pipe) return { child: Bun.spawn([...argv], { ...common, stdio: [...stdio] }) };
  try {
    const child = Bun.spawn(words, { ...common, argv0: guardName, stdio: [...stdio, pipe.write] });
    return { child, report: statusFrom(pipe.read) };
  } catch (error) {
    closeSync(pipe.read);
    throw error;
  } finally {
    closeSync(pipe.write);
  }
}

/** The command below a guard; `undefined` when it has ended. */
export function firstChild(guard: number): number | undefined {
  try {
    return Number.parseInt(readFileSync(`/proc/${guard}/task/${guard}/children`, "latin1"), 10) || undefined;
  } catch {
    return undefined;
  }
}

async function statusFrom(descriptor: number): Promise<ExitStatus | undefined> {
  let status: ExitStatus | undefined;
  try {
    for await (const bytes of Bun.file(descriptor).stream()) status = waitStatus(Buffer.from(bytes).readInt32LE());
  } catch {
    // The guard is gone, and so is what it would have said.
  }
  closeSync(descriptor);
  return status;
}
