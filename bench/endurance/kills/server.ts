import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type AnyMethods, Connection } from "@quire/jsonrpc";
import { StreamTransport } from "@quire/jsonrpc/stdio";
import type { Thread, ThreadItem, Turn } from "@quire/protocol";
import type { RealCodex } from "@quire/testkit";

/** The facts that a client was told of one thread. */
export class Told {
  readonly items = new Map<string, ThreadItem>();
  readonly turns = new Map<string, Turn>();
  readonly started = new Set<string>();
  name: string | null = null;
  /** A name that was sent and may or may not have been taken. */
  asked: string | null = null;

  /** True when the thread has to be there. */
  get exists(): boolean {
    return this.started.size > 0 || this.name !== null;
  }
}

const quire = join(import.meta.dirname, "../../../packages/cli/bin/quire");

/** A server to be killed. Unlike clients of Quire, this one ends nothing that the server leaves. */
export class Victim {
  readonly rpc: Connection<AnyMethods>;
  /** Resolves when a command is about to run. */
  readonly busy: Promise<void>;
  readonly #child;
  readonly #told: Map<string, Told>;
  readonly #ends = new Map<string, () => void>();

  private constructor(codex: RealCodex, told: Map<string, Told>) {
    this.#told = told;
    const { env, cwd } = codex;
    this.#child = spawn(quire, ["app-server"], { env, cwd, stdio: ["pipe", "pipe", "ignore"], detached: true });
    this.rpc = new Connection<AnyMethods>(new StreamTransport(this.#child.stdout, this.#child.stdin));
    this.busy = new Promise((resolve) => {
      this.rpc.on("item/started", (params) => {
        if ((params as { item: ThreadItem }).item.type === "commandExecution") resolve();
      });
    });
    this.#listen();
  }

  static async start(codex: RealCodex, told: Map<string, Told>): Promise<Victim> {
    const victim = new Victim(codex, told);
    const clientInfo = { name: "kills", version: "1" };
    await victim.rpc.request("initialize", { clientInfo, capabilities: { experimentalApi: true } });
    return victim;
  }

  #listen(): void {
    const of = (params: unknown) => this.#told.get((params as { threadId: string }).threadId);
    this.rpc.on("turn/started", (params) => void of(params)?.started.add((params as { turn: Turn }).turn.id));
    this.rpc.on("item/completed", (params) => {
      const { item, turnId } = params as { item: ThreadItem; turnId: string };
      of(params)?.items.set(`${turnId}/${item.id}`, item);
    });
    this.rpc.on("turn/completed", (params) => {
      const { turn, threadId } = params as { turn: Turn; threadId: string };
      of(params)?.turns.set(turn.id, turn);
      this.#ends.get(threadId)?.();
    });
  }

  async newThread(): Promise<string> {
    const { thread } = (await this.rpc.request("thread/start", {})) as { thread: Thread };
    this.#told.set(thread.id, new Told());
    return thread.id;
  }

  /** Settles when the turn or the server has ended. */
  async turn(threadId: string, text: string): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#ends.set(threadId, resolve));
    const sandboxPolicy = { type: text.startsWith("confined") ? "workspaceWrite" : "dangerFullAccess" };
    await this.try("turn/start", { threadId, sandboxPolicy, input: [{ type: "text", text }] });
    await Promise.race([ended, this.rpc.closed]);
  }

  async rename(threadId: string, name: string): Promise<void> {
    const told = this.#told.get(threadId) as Told;
    told.asked = name;
    if ((await this.try("thread/name/set", { threadId, name })) !== undefined) told.name = name;
  }

  /** A request that the end of the server may cut off. */
  try(method: string, params: object): Promise<unknown> {
    return this.rpc.request(method, params).catch(() => undefined);
  }

  /** Compares what is stored with what was told, and resumes the thread. Returns what is wrong. */
  async check(threadId: string, told: Told): Promise<{ lost: string[]; names: string[] }> {
    const { thread } = (await this.rpc.request("thread/read", { threadId, includeTurns: true })) as { thread: Thread };
    const lost: string[] = [];
    for (const id of told.started) {
      const status = thread.turns.find((turn) => turn.id === id)?.status ?? "none";
      const known = told.turns.get(id)?.status;
      // One whose end was stored, and not told any more, has ended all the same.
      if (known ? status !== known : !["interrupted", "completed"].includes(status)) lost.push(`turn ${id}: ${status}`);
    }
    for (const [key, item] of told.items) {
      const [turnId, itemId] = key.split("/");
      const found = thread.turns.find(({ id }) => id === turnId)?.items.find(({ id }) => id === itemId);
      if (!isDeepStrictEqual(found, item)) lost.push(`${JSON.stringify(item)} is ${JSON.stringify(found)}`);
    }
    const { data } = (await this.rpc.request("thread/list", { limit: 1000 })) as { data: Thread[] };
    const listed = data.find(({ id }) => id === threadId);
    // Lists leave out threads that nobody has written to.
    const isWritten = [...told.items.values()].some(({ type }) => type === "userMessage");
    if (!listed && isWritten) lost.push(`thread ${threadId} does not list`);
    const names = [thread.name, ...(listed ? [listed.name] : [])]
      .filter((name) => name !== told.name && (told.asked === null || name !== told.asked))
      .map((name) => `${threadId}: ${name}, not ${told.name}`);
    // Now it is known whether the last one was taken.
    if (told.asked !== null && thread.name === told.asked) told.name = thread.name;
    told.asked = null;
    await this.rpc.request("thread/resume", { threadId, excludeTurns: true });
    return { lost, names };
  }

  async kill(): Promise<void> {
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
    await this.rpc.close();
  }
}
