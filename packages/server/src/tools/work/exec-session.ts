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

/** What a session is made of. */
export interface SessionParts {
  /** The item to announce. */
  readonly item: CommandExecutionThreadItem;
  /** Of the call that started it. Deltas and the end are told through it, also after that call has returned. */
  readonly context: ToolContext;
  /** What is run. */
  readonly action: CommandAction;
  /** Whether the item was announced already. */
  readonly isAnnounced: boolean;
  start: Start;
  /** Asked when it has failed, while somebody waits: how to try again, or `undefined` to leave it at that. */
  retry(exitCode: number, output: string): Promise<Start | undefined>;
  /** Settles when nobody is asked any more about what the command wants; `undefined` where nobody is. */
  deciding?(): Promise<unknown> | undefined;
}

type Start = (onOutput: StartOptions["onOutput"]) => CommandProcess;

/**
 * One command of a thread with its item. Whatever happens to the process, the item is completed once, with what is true.
 */
export class ExecSession {
  readonly id: number;
  /** What runs: another action than at first where it was tried again outside of the sandbox. */
  action: CommandAction;
  /** Settles when the process is gone and the item completed. */
  readonly ended: Promise<void>;
  /** Set while the call that started it waits: the item then ends within that call. */
  attended = true;
  lastUsedAt: number = performance.now();
  status: ExitStatus | undefined;
  process: CommandProcess;
  readonly #item: CommandExecutionThreadItem;
  readonly #context: ToolContext;
  readonly #startedAt = performance.now();
  readonly #parts: SessionParts;
  /** While somebody decides over another try. */
  #deciding: Promise<unknown> | undefined;
  #all = new BoundedOutput();
  #unread = new BoundedOutput();
  readonly #deltas: OutputDeltas;
  readonly #streams = { stdout: new WholeCharacters(), stderr: new WholeCharacters() };

  /** Starts the process, then announces the item; throws what starting throws. */
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
    // Whoever waits hears of a failure; a command in the background has nobody waiting.
    this.ended.catch(() => undefined);
  }

  get itemId(): string {
    return this.#item.id;
  }

  get cwd(): string {
    return this.#item.cwd;
  }

  /** Output since it was last read. */
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
      // The time is meant for the command, not for whoever decides over it or is asked meanwhile.
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

  /** Kills it with all that it started; settles when the item is completed. */
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
      // It ran once, so it can only be the machine that has no room for it now; the first end stands.
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
      // What the first try said is not the outcome.
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
