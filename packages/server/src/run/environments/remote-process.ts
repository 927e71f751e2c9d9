import { pathToFileURL } from "node:url";
import type { AnyMethods, Connection } from "@quire/jsonrpc";
import type { CommandProcess } from "../process/command-process.ts";
import type { ExitStatus } from "../process/exit-status.ts";
import type { StartOptions } from "../process/running-process.ts";

/** After it was told that a command has ended, the rest of its output is waited for so long. */
const drainMs = 1000;

/** A command that runs behind an exec-server. Ends when that says so, or when it is no longer reached. */
export class RemoteProcess implements CommandProcess {
  readonly id: string = crypto.randomUUID();
  /** Of another machine: no signal from here would reach it. */
  readonly pid: null = null;
  readonly exited: Promise<ExitStatus>;
  readonly #connect: () => Promise<Connection<AnyMethods>>;
  readonly #options: Omit<StartOptions, "tag">;
  readonly #ended = Promise.withResolvers<ExitStatus>();
  readonly #started: Promise<Connection<AnyMethods> | undefined>;
  #done = false;

  constructor(connect: () => Promise<Connection<AnyMethods>>, options: Omit<StartOptions, "tag">) {
    this.#connect = connect;
    this.#options = options;
    this.exited = this.#ended.promise;
    this.#started = this.#start();
  }

  get writable(): boolean {
    return !this.#done && this.#options.tty !== undefined;
  }

  async write(data: string | Uint8Array): Promise<void> {
    const chunk = Buffer.from(data).toString("base64");
    const writeId = crypto.randomUUID();
    await (await this.#started)?.request("process/write", { processId: this.id, chunk, writeId });
  }

  async signal(signal: NodeJS.Signals): Promise<void> {
    if (signal !== "SIGINT") return this.kill();
    await (await this.#started)?.request("process/signal", { processId: this.id, signal: "interrupt" });
  }

  async kill(): Promise<void> {
    if (this.#done) return;
    try {
      await (await this.#started)?.request("process/terminate", { processId: this.id });
      // Its end is told; an exec-server that does not do so shall not hold a turn.
      setTimeout(() => this.#finish(137), drainMs).unref();
    } catch {
      this.#finish(137);
    }
    await this.exited;
  }

  /** What the exec-server tells of it. */
  notified(method: string, params: unknown): void {
    const { chunk, stream, exitCode } = params as Readonly<Record<string, unknown>>;
    if (method === "process/output" && typeof chunk === "string") {
      this.#say(Buffer.from(chunk, "base64"), stream === "stderr" ? "stderr" : "stdout");
    }
    if (method === "process/exited") this.#code = typeof exitCode === "number" ? exitCode : -1;
    if (method === "process/closed") this.#finish(this.#code);
    else if (method === "process/exited") setTimeout(() => this.#finish(this.#code), drainMs).unref();
  }

  #code = -1;

  /** The exec-server is gone, and whatever it ran with it. */
  lost(): void {
    this.#say(Buffer.from("\nended: the environment was disconnected\n"), "stderr");
    this.#finish(-1);
  }

  async #start(): Promise<Connection<AnyMethods> | undefined> {
    const { argv, cwd, env, tty } = this.#options;
    try {
      const connection = await this.#connect();
      await connection.request("process/start", {
        processId: this.id,
        argv,
        cwd: pathToFileURL(cwd).href,
        envPolicy: { inherit: "all", ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] },
        env,
        tty: tty !== undefined,
        pipeStdin: false,
        arg0: null,
        sandbox: null,
        enforceManagedNetwork: false,
        managedNetwork: null,
      });
      return connection;
    } catch (error) {
      this.#say(Buffer.from(`cannot start it in the environment: ${(error as Error).message}\n`), "stderr");
      this.#finish(-1);
      return undefined;
    }
  }

  #say(bytes: Uint8Array, from: "stdout" | "stderr"): void {
    if (!this.#done) void this.#options.onOutput(bytes, from);
  }

  #finish(code: number): void {
    this.#done = true;
    this.#ended.resolve({ code, signal: null });
  }
}
