import { pathToFileURL } from "node:url";
import type { AnyMethods, Connection } from "@quire/jsonrpc";
import type { CommandProcess } from "../process/command-process.ts";
import type { ExitStatus } from "../process/exit-status.ts";
import type { StartOptions } from "../process/running-process.ts";
import type { OutputChunk, ProcessStartParams } from "./exec-wire.ts";

/** Time for the rest of a command's output after its end was reported. */
const drainMs = 1000;

/** A command behind an exec-server. Ends when that says so, or when the connection is lost. */
export class RemoteProcess implements CommandProcess {
  readonly id: string = crypto.randomUUID();
  /** On another machine: no signal from here would reach it. */
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
      // An exec-server that never reports the end must not hold a turn.
      setTimeout(() => this.#finish(137), drainMs).unref();
    } catch {
      this.#finish(137);
    }
    await this.exited;
  }

  /** Handles a notification of the exec-server. */
  notified(method: string, params: unknown): void {
    const { chunk, stream, exitCode } = params as Partial<OutputChunk & { readonly exitCode: number }>;
    if (method === "process/output" && typeof chunk === "string") {
      this.#say(Buffer.from(chunk, "base64"), stream === "stderr" ? "stderr" : "stdout");
    }
    if (method === "process/exited") this.#code = typeof exitCode === "number" ? exitCode : -1;
    if (method === "process/closed") this.#finish(this.#code);
    else if (method === "process/exited") setTimeout(() => this.#finish(this.#code), drainMs).unref();
  }

  #code = -1;

  /** The connection is lost, and the command with it. */
  lost(): void {
    this.#say(Buffer.from("\nended: the environment was disconnected\n"), "stderr");
    this.#finish(-1);
  }

  async #start(): Promise<Connection<AnyMethods> | undefined> {
    const { argv, cwd, env, tty } = this.#options;
    try {
      const connection = await this.#connect();
      const params: ProcessStartParams = {
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
      };
      await connection.request("process/start", params);
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
