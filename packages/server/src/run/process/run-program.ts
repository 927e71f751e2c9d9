import { resolve } from "node:path";
import { ServerFault } from "../../lib/faults.ts";
import { findProgram } from "./find-program.ts";
import { startOwned } from "./process-table.ts";
import { setVariables } from "./set-variables.ts";

/** A program of the user's that the server runs did not do what it should. */
export class ProgramProblem extends ServerFault {
  override readonly name = "ProgramProblem";
}

/** A program with its limits. */
export interface ProgramRun {
  /** A name on PATH or a path. */
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: the server's own. */
  readonly cwd?: string | undefined;
  readonly timeoutMs: number;
  /** The destination of stderr: the server's log, or the error. Default `log`. */
  readonly complaints?: "log" | "throw" | undefined;
}

const maxOutputBytes = 64 * 1024;
/** Length of complaints in an error. Their end says most. */
const maxComplaint = 2000;

/**
 * Runs a program without input and returns its output. Rejects with a {@link ProgramProblem} when it fails or takes too
 * long; the error leaves out the arguments, which may be secret. It does not outlive the server.
 */
export async function runProgram({ name, args, env, cwd, timeoutMs, complaints = "log" }: ProgramRun): Promise<string> {
  const path = name.includes("/") ? resolve(cwd ?? "", name) : findProgram(name, env.PATH);
  if (path === undefined) throw new ProgramProblem(`\`${name}\` was not found: install it, or add it to PATH`);
  const output: Uint8Array[] = [];
  let size = 0;
  let complaint = "";
  const onOutput = (bytes: Uint8Array, from: "stdout" | "stderr"): void => {
    if (from === "stderr" && complaints === "log") process.stderr.write(bytes);
    else if (from === "stderr") complaint = (complaint + Buffer.from(bytes).toString()).slice(-maxComplaint);
    else if (size < maxOutputBytes) {
      output.push(bytes);
      size += bytes.length;
    }
  };
  const launch = { argv: [path, ...args], cwd: cwd ?? process.cwd(), env: setVariables(env) };
  const started = start({ ...launch, separate: true, onOutput }, name);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void started.kill();
  }, timeoutMs);
  const { code } = await started.exited;
  clearTimeout(timer);
  if (late) throw new ProgramProblem(`\`${name}\` took longer than ${timeoutMs} ms`);
  if (code !== 0) throw new ProgramProblem(`\`${name}\` failed: ${complaint.trim() || `exit code ${code}`}`);
  return Buffer.concat(output).toString();
}

function start(options: Parameters<typeof startOwned>[1], name: string): ReturnType<typeof startOwned> {
  try {
    return startOwned("programs", options);
  } catch (error) {
    throw new ProgramProblem(`\`${name}\` cannot be run: ${(error as Error).message}`);
  }
}
