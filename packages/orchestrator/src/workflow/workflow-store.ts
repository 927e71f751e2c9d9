import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import type { RunError } from "../events/run-error.ts";
import { toRunError } from "../events/run-error.ts";
import { Agreement } from "./agreement.ts";
import { type LoadContext, makeWorkflow, readWorkflow, type Workflow } from "./load-workflow.ts";

/** Editors write a file in several steps; this long after the last one it is read. */
const settleMs = 50;

/**
 * The workflow in use. It follows its file: a change that can be used takes the place of what was, one that cannot is
 * kept as {@link error} until it is mended, and the last good one stays. So is one that would run what nobody agreed to: a
 * merge or an agent may have written it.
 */
export class WorkflowStore implements Disposable {
  readonly path: string;
  readonly #context: LoadContext;
  readonly #agreement: Agreement;
  #current: Workflow;
  #error: RunError | null = null;
  #lastRead: string | undefined;
  #watcher: FSWatcher | undefined;
  #settling: ReturnType<typeof setTimeout> | undefined;

  /**
   * Loads the file; throws where it cannot be used. Whoever starts an orchestrator on a workflow for the first time agrees
   * to what it says then.
   */
  constructor(path: string, context: LoadContext, agreement: Agreement = new Agreement()) {
    this.path = path;
    this.#context = context;
    this.#agreement = agreement;
    this.#lastRead = readWorkflow(path);
    this.#current = makeWorkflow(path, this.#lastRead, context);
    if (agreement.exists) agreement.check(this.#current.guarded, path);
    else agreement.record(this.#current.guarded);
  }

  /** The last good one. */
  get current(): Workflow {
    return this.#current;
  }

  /** Error in the file as it is now. */
  get error(): RunError | null {
    return this.#error;
  }

  /** Reads the file again; says whether something changed, for better or worse. */
  reload(): boolean {
    const before = this.#error?.message;
    try {
      const source = this.#read();
      if (source === undefined) return false;
      // Back to what is in use: there is nothing to make, and the tracker in use keeps what it knows.
      if (source !== this.#current.source) this.#current = this.#agreed(source);
      this.#error = null;
      return true;
    } catch (error) {
      this.#error = toRunError(error);
      return before !== this.#error.message;
    }
  }

  /** The workflow of a text, if a person agreed to what it runs. */
  #agreed(source: string): Workflow {
    const made = makeWorkflow(this.path, source, this.#context);
    try {
      this.#agreement.check(made.guarded, this.path);
      this.#context.takeTracker?.(made.tracker.scope);
      return made;
    } catch (error) {
      void made.tracker.close?.();
      // Somebody may agree, or the other orchestrator end, while the file stays as it is.
      this.#lastRead = undefined;
      throw error;
    }
  }

  /** The file's text, or undefined where it is the one that was read last. */
  #read(): string | undefined {
    const last = this.#lastRead;
    this.#lastRead = undefined;
    const source = readWorkflow(this.path);
    this.#lastRead = source;
    return source === last ? undefined : source;
  }

  /** Calls `changed` after each change of the file that matters. Changes that the system does not tell are found by {@link reload}. */
  watch(changed: () => void): void {
    const look = () => {
      clearTimeout(this.#settling);
      this.#settling = setTimeout(() => {
        if (this.reload()) changed();
      }, settleMs);
    };
    const name = basename(this.path);
    try {
      // The folder and not the file: editors put a new file in place of the old one.
      this.#watcher = watch(dirname(this.path), (_event, file) => {
        if (file === null || file === name) look();
      });
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      // Every tick looks too.
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#settling);
    this.#watcher?.close();
  }
}
