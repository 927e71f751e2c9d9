import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AnyMethods, Connection } from "@quire/jsonrpc";
import { StreamTransport } from "@quire/jsonrpc/stdio";
import type { RealCodex } from "@quire/testkit";
import { prepare, startModel } from "../against-codex.ts";

/** A server that lives through a part, with a model that answers at once. The caller ends it. */
export class Subject {
  readonly rpc: Connection<AnyMethods>;
  readonly transport: StreamTransport;
  readonly #child;
  readonly #codex: RealCodex;
  readonly #ends = new Map<string, () => void>();

  private constructor(codex: RealCodex) {
    this.#codex = codex;
    const { command, env, cwd } = codex;
    this.#child = spawn(command, ["app-server"], { env, cwd, stdio: ["pipe", "pipe", "ignore"] });
    this.transport = new StreamTransport(this.#child.stdout, this.#child.stdin);
    this.rpc = new Connection<AnyMethods>(this.transport, { maxUnsentBytes: 1 << 30 });
    this.rpc.on("turn/completed", (params) => this.#ends.get((params as { threadId: string }).threadId)?.());
  }

  static async start(): Promise<Subject> {
    const model = await startModel(`${import.meta.dirname}/../server/model-server.ts`);
    const subject = new Subject(await prepare("quire", model));
    await subject.rpc.request("initialize", {
      clientInfo: { name: "endurance", version: "1" },
      capabilities: { experimentalApi: true },
    });
    return subject;
  }

  /** True while the server lives. */
  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resident memory in MB. */
  get megabytes(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  }

  /**
   * Duration of some work in ms, less the time in which the server or this process waited for a processor, whichever is
   * longer: on a busy machine that is most of it, and says nothing about the server.
   */
  async timed(work: () => Promise<unknown>): Promise<number> {
    const delays = () => [this.#child.pid, process.pid].map(runDelayMs);
    const [began, before] = [performance.now(), delays()];
    await work();
    const took = performance.now() - began;
    return Math.max(0, took - Math.max(...delays().map((delay, at) => delay - (before[at] ?? 0))));
  }

  async thread(): Promise<string> {
    const { thread } = (await this.rpc.request("thread/start", {})) as { thread: { id: string } };
    return thread.id;
  }

  /** Runs a turn to its end. */
  async turn(threadId: string, text: string): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#ends.set(threadId, resolve));
    await this.rpc.request("turn/start", { threadId, input: [{ type: "text", text }] });
    await ended;
    this.#ends.delete(threadId);
  }

  async end(): Promise<void> {
    const gone = this.alive ? once(this.#child, "exit") : undefined;
    this.#child.kill("SIGKILL");
    await gone;
    await this.rpc.close();
    await this.#codex[Symbol.asyncDispose]();
  }
}

/** The main thread's, which does the work. 0 on systems that do not tell. */
function runDelayMs(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}
