import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { findPostgres } from "./find-postgres.ts";

/** A PostgreSQL server in a folder of its own, on a free port of this machine. Disposal is {@link PostgresServer.stop}. */
export interface PostgresServer extends AsyncDisposable {
  /** Its first database, with user and password. */
  readonly url: string;
  /** Process id of the server, which changes with a restart. */
  readonly pid: number;
  /** Makes an empty database and returns its address. */
  createDatabase(): Promise<string>;
  /** Ends it at once, as a crash would; it can be started again. */
  kill(): Promise<void>;
  /** Starts it again after {@link PostgresServer.kill}, on the same port and data. */
  start(): Promise<void>;
  /** Ends it and removes its folder. Idempotent. */
  stop(): Promise<void>;
}

const run = promisify(execFile);
const user = "quire";
/** Any user but root, as whom PostgreSQL does not run. */
const nobody = 65_534;

/**
 * Starts a PostgreSQL server for tests. It ends with this process, whatever ends it, and does not wait for the disk:
 * a crash of the machine may lose what it stored, a crash of the server does not.
 */
export async function postgresServer(): Promise<PostgresServer> {
  const programs = findPostgres();
  if (programs === null) throw new Error("No PostgreSQL: apt-get install postgresql (Debian), or put initdb on PATH");
  // A test's own temporary folder may be closed to other users.
  const folder = await mkdtemp(join(isRoot() ? "/tmp" : tmpdir(), "quire-postgres-"));
  const server = new LocalPostgres(programs, folder, await freePort());
  try {
    await server.initialize();
    await server.start();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

class LocalPostgres implements PostgresServer {
  readonly #programs: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #password = randomBytes(12).toString("hex");
  #child: ChildProcess | undefined;
  #databases = 0;

  constructor(programs: string, folder: string, port: number) {
    this.#programs = programs;
    this.#folder = folder;
    this.#port = port;
  }

  get url(): string {
    return this.#urlOf("postgres");
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async initialize(): Promise<void> {
    const passwordFile = join(this.#folder, "password");
    await writeFile(passwordFile, this.#password, { mode: 0o600 });
    if (isRoot()) for (const path of [this.#folder, passwordFile]) await chown(path, nobody, nobody);
    const flags = ["-U", user, "-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"];
    const [command, args] = this.#command("initdb", ["-D", this.#data, `--pwfile=${passwordFile}`, ...flags]);
    await run(command, args, { cwd: "/" });
  }

  async start(): Promise<void> {
    if (this.#child !== undefined) return;
    const settings = {
      listen_addresses: "127.0.0.1",
      port: String(this.#port),
      unix_socket_directories: "",
      fsync: "off",
      full_page_writes: "off",
      max_connections: "200",
      shared_buffers: "32MB",
      jit: "off",
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const [command, args] = this.#command("postgres", ["-D", this.#data, ...flags]);
    const child = spawn(command, args, { cwd: "/", stdio: ["ignore", "ignore", "pipe"] });
    this.#child = child;
    await ready(child);
  }

  async createDatabase(): Promise<string> {
    const name = `test_${++this.#databases}`;
    await run(join(this.#programs, "createdb"), ["--maintenance-db", this.url, "-T", "template0", name]);
    return this.#urlOf(name);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    // At once and without a farewell, but with its children: a SIGKILL would leave these to finish by themselves.
    child.kill("SIGQUIT");
    await gone;
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  get #data(): string {
    return join(this.#folder, "data");
  }

  #urlOf(database: string): string {
    return `postgres://${user}:${this.#password}@127.0.0.1:${this.#port}/${database}`;
  }

  /** As another user where this one is root, and never longer than this process. */
  #command(program: string, args: readonly string[]): [string, string[]] {
    const path = join(this.#programs, program);
    if (process.platform !== "linux") return [path, [...args]];
    const as = isRoot() ? [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [];
    return ["setpriv", [...as, "--pdeathsig=QUIT", path, ...args]];
  }
}

const isRoot = (): boolean => process.getuid?.() === 0;

/** Waits until the server takes connections; rejects with what it said if it ends before. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      // After that it is only read, so that the pipe does not fill.
      if (said.length < 100_000) said += chunk;
      if (/ready to accept connections/.test(said)) resolve();
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`PostgreSQL ended with code ${code}:\n${said.slice(-2000)}`)));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
