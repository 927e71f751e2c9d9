import { type ErrorObject, type RequestId, RpcError, type Transport } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import { Arrivals } from "../lib/arrivals.ts";
import { parseWire } from "../record/wire.ts";
import { type BuiltInReply, builtInMethods } from "./built-in.ts";
import type { Outcome } from "./outcome.ts";
import { ScriptedThreads } from "./threads.ts";
import type { TurnScript } from "./turn-script.ts";

/** A request or notification that the client sent. */
export interface ReceivedMessage {
  readonly method: string;
  readonly params: unknown;
  /** Only for a request. */
  readonly id?: RequestId;
}

/** Answer of a method: a value, an `RpcError` to fail with, or a function of the params that returns or throws them. */
export type Answer = unknown;

/** The answers that a test has set for one method. */
interface Answers {
  readonly next: Answer[];
  always?: { readonly answer: Answer };
}

/**
 * An app-server that does what the test says, for tests of code that talks to one. It needs no process, no model and
 * no socket: pass `server.transport` to the client under test.
 *
 * ```ts
 * await using server = scriptedServer();
 * server.turn({ items: [{ type: "command", command: "ls", output: "a.txt\n", approval: true }], text: "One file." });
 * const client = new Connection(server.transport);
 * ```
 *
 * Without further ado it handles `initialize`, `thread/start`, `thread/resume`, `turn/start`, `turn/steer` and
 * `turn/interrupt`; its events have the order and shape of Codex 0.166. Made by {@link scriptedServer}.
 */
export class ScriptedServer implements AsyncDisposable {
  /** The client's end. It belongs to the client; closing it ends this server too. */
  readonly transport: Transport;
  readonly #own: Transport;
  readonly #received = new Arrivals<ReceivedMessage>();
  readonly #answers = new Map<string, Answers>();
  readonly #threads: ScriptedThreads;
  readonly #builtIn: (method: string, params: unknown) => BuiltInReply;
  /** Server requests that wait for the client. */
  readonly #asked = new Map<RequestId, (outcome: Outcome) => void>();
  #requestIds = 0;
  #closed = false;

  constructor() {
    [this.transport, this.#own] = memoryPair();
    const notify = this.notify.bind(this);
    this.#threads = new ScriptedThreads({
      notify,
      ask: (method, params) => this.#ask(method, params),
      drain: () => this.#own.drain(),
    });
    this.#builtIn = builtInMethods(this.#threads, notify);
    this.#own.start({ message: (text) => void this.#receive(text), closed: () => this.#stop() });
  }

  /** Sets what a method answers from now on. Goes before what the server would do by itself. */
  on(method: string, answer: Answer): this {
    this.#answersOf(method).always = { answer };
    return this;
  }

  /** Sets what the next calls of a method answer, one answer each. */
  once(method: string, ...answers: Answer[]): this {
    this.#answersOf(method).next.push(...answers);
    return this;
  }

  /** Sets what happens in the next turns, one script each. Without one left, a turn says `ok`. */
  turn(...scripts: TurnScript[]): this {
    this.#threads.enqueue(scripts);
    return this;
  }

  /** Plays a turn that this client did not ask for, as when another works on the same thread. Resolves at its end. */
  play(threadId: string, script: TurnScript): Promise<void> {
    return this.#threads.play(this.#threads.get(threadId) ?? this.#threads.add("/", threadId), [], script);
  }

  /** Sends a notification. */
  notify(method: string, params: Readonly<Record<string, unknown>>): void {
    this.sendRaw(JSON.stringify({ method, params, emittedAtMs: Date.now() }));
  }

  /** Sends a server request and returns the client's answer. Rejects with an `RpcError` if that is an error. */
  async request(method: string, params: unknown): Promise<unknown> {
    const { outcome } = await this.#ask(method, params);
    if ("error" in outcome) throw new RpcError(outcome.error);
    return outcome.result;
  }

  /** Sends a text as it is, be it a message or not. */
  sendRaw(text: string): void {
    this.#own.send(text);
  }

  /** All requests and notifications of the client, in order. */
  get received(): readonly ReceivedMessage[] {
    return this.#received.all;
  }

  /** Waits for the `index`th call of a method (the first is 0), past or to come. */
  waitFor(method: string, index = 0, options: { readonly timeoutMs?: number } = {}): Promise<ReceivedMessage> {
    const find = (all: readonly ReceivedMessage[]) => all.filter((message) => message.method === method)[index];
    const complain = () => `no ${method}[${index}], but: ${this.received.map((message) => message.method).join(", ")}`;
    return this.#received.waitFor(find, complain, options);
  }

  /** Ends the connection; running turns stop. */
  close(): Promise<void> {
    return this.#own.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #answersOf(method: string): Answers {
    const known = this.#answers.get(method) ?? { next: [] };
    this.#answers.set(method, known);
    return known;
  }

  async #receive(text: string): Promise<void> {
    const message = parseWire(text);
    if (message.kind === "junk") return;
    if (message.kind === "response") {
      const { id, result, error } = message;
      this.#asked.get(id)?.(error === undefined ? { result } : { error: error as ErrorObject });
      return;
    }
    const { method, params } = message;
    this.#received.add(message.kind === "request" ? { id: message.id, method, params } : { method, params });
    if (message.kind === "request") await this.#reply(message.id, method, params);
  }

  async #reply(id: RequestId, method: string, params: unknown): Promise<void> {
    try {
      const chosen = this.#chooseAnswer(method);
      const { result, after } = chosen
        ? { result: await resolveAnswer(chosen.answer, params) }
        : this.#builtIn(method, params);
      this.sendRaw(JSON.stringify({ id, result: result ?? null }));
      after?.();
    } catch (thrown) {
      const error = RpcError.is(thrown)
        ? thrown.toErrorObject()
        : { code: -32603, message: `The script of ${method} threw: ${thrown}` };
      this.sendRaw(JSON.stringify({ id, error }));
    }
  }

  #chooseAnswer(method: string): { readonly answer: Answer } | undefined {
    const answers = this.#answers.get(method);
    return answers && answers.next.length > 0 ? { answer: answers.next.shift() } : answers?.always;
  }

  /** Ids are numbers from 0, as in the real server, so they coincide with the client's own. */
  #ask(method: string, params: unknown): Promise<{ requestId: number; outcome: Outcome }> {
    const requestId = this.#requestIds++;
    return new Promise((resolve) => {
      this.#asked.set(requestId, (outcome) => {
        this.#asked.delete(requestId);
        resolve({ requestId, outcome });
      });
      if (this.#closed) this.#stop();
      else this.sendRaw(JSON.stringify({ id: requestId, method, params }));
    });
  }

  #stop(): void {
    this.#closed = true;
    this.#threads.interruptAll();
    for (const settle of [...this.#asked.values()]) settle({ error: { code: -32603, message: "The client is gone" } });
  }
}

/** Makes a {@link ScriptedServer}. Its owner disposes of it. */
export function scriptedServer(): ScriptedServer {
  return new ScriptedServer();
}

async function resolveAnswer(answer: Answer, params: unknown): Promise<unknown> {
  const value: unknown = await (typeof answer === "function" ? answer(params) : answer);
  if (RpcError.is(value)) throw value;
  return value;
}
