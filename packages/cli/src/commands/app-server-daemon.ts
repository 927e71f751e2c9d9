import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CodexClient } from "@quire/client";
import { configFlags } from "../args/config-flags.ts";
import type { CommandSpec } from "../args/flag.ts";
import { parseArguments } from "../args/parse.ts";
import { UsageError } from "../args/usage-error.ts";
import { showHelp } from "../show-help.ts";
import { controlSocket } from "./app-server-proxy.ts";

const daemonSpec: CommandSpec<typeof configFlags> = {
  name: "quire app-server daemon",
  summary: "Start, stop and look at an app-server that outlives its clients",
  operands: "start|stop|restart|version",
  maxOperands: 1,
  flags: configFlags,
};

/** How long a daemon may take to begin or to end. */
const patienceMs = 10_000;
const pauseMs = 20;

interface Place {
  readonly home: string;
  readonly socketPath: string;
  readonly pidFile: string;
  readonly logFile: string;
}

/** Does what is asked and prints one line of JSON about it. Gives the exit code. */
export async function daemon(args: readonly string[]): Promise<number> {
  const { operands, help } = parseArguments(daemonSpec, args);
  if (help) return showHelp(daemonSpec);
  const { resolveHome } = await import("@quire/server/startup");
  const home = resolveHome(process.env);
  const folder = join(home, "app-server-daemon");
  const place = {
    home,
    socketPath: controlSocket(home),
    pidFile: join(folder, "daemon.pid"),
    logFile: join(folder, "daemon.stderr.log"),
  };
  const flags = args.filter((arg) => arg !== operands[0]);
  switch (operands[0]) {
    case "start":
    case "bootstrap":
      return start(place, flags, "started");
    case "stop":
      return print(place, (await stop(place)) ? "stopped" : "notRunning");
    case "restart":
      await stop(place);
      return start(place, flags, "restarted");
    case "version": {
      const appServerVersion = await runningVersion(place);
      return print(place, appServerVersion === undefined ? "notRunning" : "running", { appServerVersion });
    }
    default:
      throw new UsageError(`expected start, stop, restart or version, and not '${operands[0] ?? ""}'`);
  }
}

async function start(place: Place, flags: readonly string[], status: string): Promise<number> {
  const running = await runningVersion(place);
  if (running !== undefined) return print(place, "alreadyRunning", { appServerVersion: running });
  mkdirSync(dirname(place.pidFile), { recursive: true, mode: 0o700 });
  const log = openSync(place.logFile, "a", 0o600);
  const [command = "", ...words] = process.argv;
  const script = words[0]?.endsWith("app-server") ? [] : words.slice(0, 1);
  const child = spawn(command, [...script, "app-server", "--listen", "unix://", ...flags], {
    detached: true,
    stdio: ["ignore", log, log],
    cwd: place.home,
  });
  closeSync(log);
  child.unref();
  writeFileSync(place.pidFile, `${child.pid}\n`, { mode: 0o600 });
  let ended = false;
  child.on("exit", () => {
    ended = true;
  });
  const appServerVersion = await until(async () => (ended ? null : await runningVersion(place)));
  if (appServerVersion) return print(place, status, { pid: child.pid, appServerVersion });
  rmSync(place.pidFile, { force: true });
  throw new Error(`the app-server did not start; ${place.logFile} tells why`);
}

/** Ends the daemon and waits for that. False where none runs. */
async function stop({ pidFile, socketPath }: Place): Promise<boolean> {
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, "utf8")) : Number.NaN;
  rmSync(pidFile, { force: true });
  if (!Number.isInteger(pid) || !existsSync(socketPath) || !isAlive(pid)) return false;
  process.kill(pid, "SIGTERM");
  const gone = await until(async () => (isAlive(pid) ? undefined : true));
  if (gone !== true) process.kill(pid, "SIGKILL");
  return true;
}

/** The version of the server that answers on the socket; `undefined` where nobody does. */
async function runningVersion({ socketPath }: Place): Promise<string | undefined> {
  if (!existsSync(socketPath)) return undefined;
  try {
    const client = await CodexClient.connect(`unix://${socketPath}`, { clientName: "quire-daemon", reconnect: false });
    try {
      return /\/(\S+)/.exec(client.server?.userAgent ?? "")?.[1] ?? "unknown";
    } finally {
      await client.close();
    }
  } catch {
    return undefined;
  }
}

/** Asks again and again until there is an answer, or no time is left; `null` is an answer. */
async function until<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || performance.now() > end) return answer;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function print({ socketPath }: Place, status: string, more: object = {}): Promise<number> {
  const { codexVersion } = await import("@quire/server");
  process.stdout.write(
    `${JSON.stringify({ status, backend: "pid", ...more, socketPath, cliVersion: codexVersion })}\n`,
  );
  return 0;
}
