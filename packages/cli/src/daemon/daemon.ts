import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CodexClient } from "@quire/client";
import { defaultSocketPath } from "@quire/server/startup";
import { withFileLock } from "./file-lock.ts";
import { poll } from "./poll.ts";
import { isRunning, type ProcessRecord, processRecord, readRecord } from "./process-record.ts";

/** Result of a request to the daemon. */
export interface DaemonState {
  readonly status: "started" | "alreadyRunning" | "restarted" | "stopped" | "notRunning" | "running";
  /** `pid` where the server is the daemon's own; absent where somebody else has started it. */
  readonly backend?: "pid";
  readonly pid?: number;
  readonly appServerVersion?: string;
}

/** A background app-server: one for each home, on the socket in that home. */
export class Daemon {
  readonly socketPath: string;
  readonly #home: string;
  readonly #folder: string;
  readonly #pidFile: string;

  /** @param home Where socket, pid file and log are. */
  constructor(home: string) {
    this.#home = home;
    this.socketPath = defaultSocketPath(home);
    this.#folder = join(home, "app-server-daemon");
    this.#pidFile = join(this.#folder, "daemon.pid");
  }

  /** Starts it, unless a server runs already. */
  start(flags: readonly string[]): Promise<DaemonState> {
    return this.#alone(() => this.#start(flags, "started"));
  }

  /** Ends it and waits for that. */
  stop(): Promise<DaemonState> {
    return this.#alone(async () =>
      (await this.#stop()) ? { status: "stopped", backend: "pid" } : { status: "notRunning" },
    );
  }

  /** Restarts it, or starts it if it is not running. */
  restart(flags: readonly string[]): Promise<DaemonState> {
    return this.#alone(async () => {
      await this.#stop();
      return this.#start(flags, "restarted");
    });
  }

  /** Version of the running server. Throws if none answers. */
  async version(): Promise<DaemonState> {
    const appServerVersion = await this.#answering();
    if (appServerVersion === undefined) {
      throw new Error(`no app-server answers at ${this.socketPath}; start one with quire app-server daemon start`);
    }
    return { status: "running", ...(this.#own() && { backend: "pid" as const }), appServerVersion };
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      const said = (error as Error).message;
      throw new Error(`cannot use the home folder: ${said}; set QUIRE_HOME to a writable folder`, {
        cause: error,
      });
    }
    return withFileLock(join(this.#folder, "daemon.lock"), work);
  }

  async #start(flags: readonly string[], status: "started" | "restarted"): Promise<DaemonState> {
    const running = await this.#answering();
    if (running !== undefined) {
      return {
        status: "alreadyRunning",
        ...(this.#own() && { backend: "pid" as const }),
        appServerVersion: running,
      };
    }
    const logFile = join(this.#folder, "daemon.stderr.log");
    const log = openSync(logFile, "w", 0o600);
    const child = spawn(process.execPath, [...ownArguments(), "app-server", "--listen", "unix://", ...flags], {
      detached: true,
      stdio: ["ignore", log, log],
      cwd: this.#home,
    });
    closeSync(log);
    const ended = new Promise<"ended">((resolve) => {
      child.once("exit", () => resolve("ended"));
      child.once("error", () => resolve("ended"));
    });
    child.unref();
    const record = child.pid === undefined ? undefined : processRecord(child.pid);
    if (record) writeFileSync(this.#pidFile, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    const outcome = await Promise.race([ended, poll(() => this.#answering())]);
    if (record && outcome !== undefined && outcome !== "ended") {
      return { status, backend: "pid", pid: record.pid, appServerVersion: outcome };
    }
    if (record && isRunning(record)) process.kill(record.pid, "SIGKILL");
    rmSync(this.#pidFile, { force: true });
    throw new Error(`the app-server did not start; see ${logFile}`);
  }

  /** False where none runs. */
  async #stop(): Promise<boolean> {
    const own = this.#own();
    if (!own) {
      if ((await this.#answering()) === undefined) return false;
      throw new Error("an app-server is running that the daemon did not start; stop it where you started it");
    }
    // The first waits for turns that run, the second interrupts them.
    for (const signal of ["SIGTERM", "SIGTERM", "SIGKILL"] as const) {
      if (isRunning(own)) process.kill(own.pid, signal);
      if ((await poll(async () => (isRunning(own) ? undefined : true))) !== undefined) break;
    }
    rmSync(this.#pidFile, { force: true });
    return true;
  }

  #own(): ProcessRecord | undefined {
    const record = readRecord(this.#pidFile);
    return record && isRunning(record) ? record : undefined;
  }

  /** The version of the server that answers on the socket; `undefined` where nobody does. */
  async #answering(): Promise<string | undefined> {
    if (!existsSync(this.socketPath)) return undefined;
    try {
      const address = `unix://${this.socketPath}`;
      await using client = await CodexClient.connect(address, { clientName: "quire-daemon", reconnect: false });
      return /\/(\S+)/.exec(client.server?.userAgent ?? "")?.[1] ?? "unknown";
    } catch {
      return undefined;
    }
  }
}

const isSingleFile = Bun.main.startsWith("/$bunfs/") || Bun.main.startsWith("B:\\~BUN");

/** The program that a daemon runs: this one. */
export const daemonProgram: string = isSingleFile ? process.execPath : Bun.main;

/** Arguments that make Bun run this program: none if the two are one file. */
const ownArguments = (): string[] => (isSingleFile ? [] : [...process.execArgv, Bun.main]);
