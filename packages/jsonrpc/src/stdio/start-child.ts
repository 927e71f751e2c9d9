import { spawn } from "node:child_process";
import { resolve as resolvePath } from "node:path";
import process from "node:process";
import { ConnectionError } from "../message/errors.ts";
import { guarded, guardName } from "../processes/guard/guard.ts";
import { tagged } from "../processes/process-tree.ts";
import { resolveCommand } from "../processes/resolve-command.ts";
import { BunChild, type BunRuntime } from "./bun-child.ts";
import type { Child } from "./child.ts";
import type { StreamTransportOptions } from "./stream-transport.ts";

/** Options of a child process. */
export interface SpawnOptions extends StreamTransportOptions {
  /** Program to run: a path, or a name looked up on PATH. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  /** The child's whole environment. Default: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Time that the child has to exit by itself after its stdin has ended. Default 2 s. */
  readonly shutdownMs?: number | undefined;
  /**
   * True to have everything that descends from the child end with it and with this process, even if that is killed: on
   * Linux, run by Bun. `pid` is then that of a guard, which passes signals on. Default false.
   */
  readonly guard?: boolean | undefined;
  /** Sees stderr as it comes. The last 8 KB are kept in any case. */
  readonly onStderr?: ((chunk: Uint8Array) => void) | undefined;
}

/** A child, and whether it is the guard of the program. */
export interface StartedChild {
  readonly child: Child;
  readonly isGuard: boolean;
}

/** Starts it. What goes wrong at once is thrown; the rest comes as the child's `error` event. */
export function startChild(options: SpawnOptions, tag: string): StartedChild {
  const { file, args, verbatim } = resolveCommand(options.command, options.args ?? []);
  const { Bun: bun } = globalThis as { Bun?: BunRuntime };
  const env = { ...(options.env ?? process.env), ...tagged(tag) };
  const words = options.guard ? guarded({ argv: [file, ...args], cwd: options.cwd, env, ending: "exit" }) : undefined;
  const how = {
    cwd: options.cwd,
    env,
    ...(words && { argv0: guardName }),
    // A group of its own, so that the whole of it can be signalled, and Ctrl-C in a terminal reaches us alone.
    detached: process.platform !== "win32",
    windowsVerbatimArguments: verbatim,
    windowsHide: true,
  };
  try {
    if (!bun) return { child: spawn(file, args, { ...how, stdio: ["pipe", "pipe", "pipe"] }), isGuard: false };
    const cmd = words ?? [file, ...args];
    const child = new BunChild(bun, { ...how, cmd, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
    return { child, isGuard: words !== undefined };
  } catch (error) {
    // Most failures come as an event; a few, such as arguments that are too long, are thrown.
    throw spawnFailure(error as NodeJS.ErrnoException, options);
  }
}

/** The error of a program that could not be started, with what to do about it. */
export function spawnFailure(error: NodeJS.ErrnoException, options: SpawnOptions): ConnectionError {
  return new ConnectionError("spawn-failed", explainSpawn(error, options), { cause: error });
}

function explainSpawn(error: NodeJS.ErrnoException, { command, cwd }: SpawnOptions): string {
  if (error.code === "ENOENT" && cwd !== undefined) {
    return `${command} could not be started: it is not on PATH, or the folder ${resolvePath(cwd)} does not exist`;
  }
  if (error.code === "ENOENT") return `${command} was not found: install it, or give the path of the program`;
  if (error.code === "EACCES") return `${command} may not be executed: check its permissions`;
  return `${command} could not be started: ${error.message}`;
}
