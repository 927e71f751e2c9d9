import { readFileSync } from "node:fs";
import { Connection } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import type { Turn } from "@quire/protocol";
import type { RealCodex } from "@quire/testkit";

type EndedTurn = Pick<Turn, "status" | "error">;

/** An app-server process under measurement, with a bare connection to it. */
export class Subject implements AsyncDisposable {
  readonly #connection: Connection;
  readonly #pid: number;
  readonly #turns = new Map<string, (turn: EndedTurn) => void>();
  /** From the spawn to the reply of `initialize`. */
  readonly startMs: number;
  /** Resident memory right after it. */
  readonly startMb: number;

  private constructor(connection: Connection, pid: number, startMs: number) {
    this.#connection = connection;
    this.#pid = pid;
    this.startMs = startMs;
    this.startMb = this.residentMb;
    connection.on("turn/completed", (params) => {
      const { threadId, turn } = params as { threadId: string; turn: EndedTurn };
      this.#turns.get(threadId)?.(turn);
      this.#turns.delete(threadId);
    });
  }

  static async spawn({
    command,
    args,
    env,
    cwd,
  }: Pick<RealCodex, "command" | "args" | "env" | "cwd">): Promise<Subject> {
    const began = performance.now();
    const transport = spawnTransport({ command, args, env, cwd });
    const connection = new Connection(transport, { requestTimeoutMs: 120_000 });
    await connection.request("initialize", {
      clientInfo: { name: "bench", title: null, version: "1.0.0" },
      capabilities: { experimentalApi: true },
    });
    const startMs = performance.now() - began;
    connection.notify("initialized");
    return new Subject(connection, transport.pid ?? 0, startMs);
  }

  request<Result>(method: string, params: unknown): Promise<Result> {
    return this.#connection.request(method, params) as Promise<Result>;
  }

  /** Waits for the next matching notification. */
  nextNotification<Params>(method: string, isMeant: (params: Params) => boolean): Promise<Params> {
    return new Promise((resolve) => {
      const stop = this.#connection.on(method, (params) => {
        if (!isMeant(params as Params)) return;
        stop();
        resolve(params as Params);
      });
    });
  }

  async startThread(): Promise<string> {
    const { thread } = await this.request<{ thread: { id: string } }>("thread/start", {});
    return thread.id;
  }

  /** Runs a turn to its end. */
  async turn(threadId: string, text: string): Promise<void> {
    const ended = new Promise<EndedTurn>((resolve) => this.#turns.set(threadId, resolve));
    await this.request("turn/start", { threadId, input: [{ type: "text", text }] });
    const { status, error } = await ended;
    if (status !== "completed") throw new Error(`The turn "${text}" ended as ${status}: ${error?.message}`);
  }

  get residentMb(): number {
    const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#pid}/status`, "utf8"))?.[1];
    return Number(kb ?? 0) / 1024;
  }

  /** The most memory that was resident so far. */
  get peakMb(): number {
    const kb = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${this.#pid}/status`, "utf8"))?.[1];
    return Number(kb ?? 0) / 1024;
  }

  /** CPU time the process has used, in ms. */
  get cpuMs(): number {
    const fields = readFileSync(`/proc/${this.#pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close();
  }
}
