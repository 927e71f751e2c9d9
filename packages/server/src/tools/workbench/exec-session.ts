import type { CommandExecutionThreadItem } from "@quire/protocol";
import type { CommandAction } from "../../approval/action.ts";
import type { ToolContext } from "../../approval/tool-context.ts";
import { BoundedOutput } from "../../run/process/bounded-output.ts";
import type { CommandProcess } from "../../run/process/command-process.ts";
import type { ExitStatus } from "../../run/process/exit-status.ts";
import { OutputDeltas } from "../../run/process/output-deltas.ts";
import type { StartOptions } from "../../run/process/running-process.ts";
import { WholeCharacters } from "../../run/process/whole-characters.ts";
import type { RawOutput } from "../truncate-output.ts";

/** The parts of a session. */
export interface SessionParts {
  readonly item: CommandExecutionThreadItem;
  /** Of the call that started it. Used for deltas and the end even after the call has returned. */
  readonly context: ToolContext;
  readonly action: CommandAction;
  /** True when the item was announced already. */
  readonly isAnnounced: boolean;
  start: Start;
  /** Called after a failure while a call waits: returns the next attempt, or `undefined` to give up. */
  retry(exitCode: number, output: string): Promise<Start | undefined>;
  /** Settles when no question about the command is pending; `undefined` when there is none. */
  deciding?(): Promise<unknown> | undefined;
}

type Start = (onOutput: StartOptions["onOutput"]) => CommandProcess;

/** A command of a thread with its item, which is completed exactly once, whatever happens to the process. */
export class ExecSession {
  readonly id: number;
  /** The running action: a different one after a retry outside of the sandbox. */
  action: CommandAction;
  /** Settles when the process is gone and the item completed. */
  readonly ended: Promise<void>;
  /** True while the starting call waits: the item then ends within that call. */
  attended = true;
  lastUsedAt: number = performance.now();
  status: ExitStatus | undefined;
  process: CommandProcess;
  readonly #item: CommandExecutionThreadItem;
  readonly #context: ToolContext;
  readonly #startedAt = performance.now();
  readonly #parts: SessionParts;
  /** Set during a decision about a retry. */
  #deciding: Promise<unknown> | undefined;
  #all = new BoundedOutput();
  #unread = new BoundedOutput();
  readonly #deltas: OutputDeltas;
  readonly #streams = { stdout: new WholeCharacters(), stderr: new WholeCharacters() };

  /** Starts the process, then announces the item; throws when it cannot start. */
  constructor(id: number, parts: SessionParts) {
    this.id = id;
    this.action = parts.action;
    this.#parts = parts;
    this.#item = parts.item;
    this.#context = parts.context;
    this.#deltas = new OutputDeltas((delta) =>
      parts.context.notify("item/commandExecution/outputDelta", { itemId: parts.item.id, delta }),
    );
    this.process = this.#run(parts.start);
    if (!parts.isAnnounced) this.#announce();
    this.ended = this.#end();
    // A waiting call hears of a failure; nobody waits for a background command.
    this.ended.catch(() => undefined);
  }

  get itemId(): string {
    return this.#item.id;
  }

  get cwd(): string {
    return this.#item.cwd;
  }

  read(): RawOutput {
    const unread = this.#unread;
    this.#unread = new BoundedOutput();
    return { text: unread.text(), totalBytes: unread.total, omittedBytes: unread.omitted };
  }

  /** Waits until it has ended, the time is over or the signal aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (this.status !== undefined || signal.aborted) return;
    const over = Promise.withResolvers<void>();
    let isOver = false;
    const stop = () => over.resolve();
    const onTime = () => {
      // The time is for the command, not for a decision about it.
      const pause = this.#deciding ?? this.#parts.deciding?.() ?? this.#context.paused?.();
      if (pause === undefined) stop();
      else
        void pause.finally(() => {
          if (!isOver) timer = setTimeout(onTime, ms);
        });
    };
    let timer = setTimeout(onTime, ms);
    signal.addEventListener("abort", stop, { once: true });
    await Promise.race([this.ended, over.promise]);
    isOver = true;
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }

  /** Kills it with all descendants; settles when the item is completed. */
  async kill(): Promise<void> {
    await this.process.kill();
    await this.ended;
  }

  #run(start: Start): CommandProcess {
    return start((bytes, from) => this.#take(this.#streams[from].push(bytes)));
  }

  #announce(): void {
    try {
      this.#context.startItem(this.#item);
    } catch (error) {
      // Nobody would ever hear of it, nor end it.
      void this.process.kill();
      throw error;
    }
  }

  #take(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#all.push(bytes);
    this.#unread.push(bytes);
    this.#deltas.push(bytes);
  }

  async #exit(): Promise<ExitStatus> {
    const status = await this.process.exited;
    for (const stream of Object.values(this.#streams)) this.#take(stream.rest());
    return status;
  }

  async #tryAgain(start: Start, first: ExitStatus): Promise<ExitStatus> {
    try {
      this.process = this.#run(start);
    } catch {
      // It ran once, so only the machine can be out of room; the first result stands.
      return first;
    }
    return this.#exit();
  }

  async #askForRetry(code: number): Promise<Start | undefined> {
    this.#deciding = this.#parts.retry(code, this.#all.text());
    try {
      return (await this.#deciding) as Start | undefined;
    } finally {
      this.#deciding = undefined;
    }
  }

  async #end(): Promise<void> {
    let status = await this.#exit();
    const again = status.code !== 0 && this.attended ? await this.#askForRetry(status.code) : undefined;
    if (again) {
      // The first attempt's output is not the result.
      this.#all = new BoundedOutput();
      this.#unread = new BoundedOutput();
      status = await this.#tryAgain(again, status);
    }
    this.#deltas.end();
    this.status = status;
    const item: CommandExecutionThreadItem = {
      ...this.#item,
      aggregatedOutput: this.#all.total === 0 ? null : this.#all.text(),
      exitCode: status.code,
      durationMs: Math.round(performance.now() - this.#startedAt),
      status: status.code === 0 ? "completed" : "failed",
    };
    if (this.attended) this.#context.completeItem(item);
    else this.#context.completeLate(item);
  }
}
