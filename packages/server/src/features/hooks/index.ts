import type { LayerWarning } from "../../config/layer.ts";
import { service } from "../../context/services.ts";
import type { ThreadExtension } from "../../thread/extension.ts";
import type { Thread } from "../../thread/thread.ts";
import type { HookPoints } from "./hook-points.ts";
import { openHooks } from "./open-hooks.ts";

type Extension = Required<ThreadExtension>;

/** The hooks of a thread. Most often there are none; they come and go with the configuration. */
class ThreadHookPoints implements ThreadExtension {
  readonly #thread: Thread;
  #opened: Promise<HookPoints> | undefined;

  constructor(thread: Thread) {
    this.#thread = thread;
    this.#opened = openHooks(thread);
  }

  /** Reads them again; the session goes on. */
  reload(): void {
    this.#opened = openHooks(this.#thread, null);
  }

  /** What the user should know about hooks that were not looked at; `undefined` where there are no hooks. */
  unreviewed(): Promise<readonly LayerWarning[]> | undefined {
    return this.#opened?.then((hooks) => hooks.unreviewed);
  }

  tellWarnings(): void {
    void this.#opened?.then((hooks) => hooks.tellWarnings());
  }

  begin: Extension["begin"] = (...args) => this.#opened?.then((hooks) => hooks.begin(...args));
  input: Extension["input"] = (...args) => this.#opened?.then((hooks) => hooks.input(...args));
  notes: Extension["notes"] = () => this.#opened?.then((hooks) => hooks.notes());
  beforeModel: Extension["beforeModel"] = (turn) => this.#opened?.then((hooks) => hooks.beforeModel(turn));
  afterModel: Extension["afterModel"] = (...args) => this.#opened?.then((hooks) => hooks.afterModel(...args));
  beforeCall: Extension["beforeCall"] = (...args) => this.#opened?.then((hooks) => hooks.beforeCall(...args));
  afterCall: Extension["afterCall"] = (...args) => this.#opened?.then((hooks) => hooks.afterCall(...args));
  permission: Extension["permission"] = (...args) => this.#opened?.then((hooks) => hooks.permission(...args));
  beforeCompaction: Extension["beforeCompaction"] = (turn) =>
    this.#opened?.then((hooks) => hooks.beforeCompaction(turn));
  afterCompaction: Extension["afterCompaction"] = (turn) => this.#opened?.then((hooks) => hooks.afterCompaction(turn));
  stop: Extension["stop"] = (...args) => this.#opened?.then((hooks) => hooks.stop(...args));
  interrupted: Extension["interrupted"] = (turn) => this.#opened?.then((hooks) => hooks.interrupted(turn));
  close: Extension["close"] = () => this.#opened?.then((hooks) => hooks.close());
}

const hooks = service((thread: Thread) => new ThreadHookPoints(thread));

/** The hooks of a thread. */
export const hooksOf = (thread: Thread): ThreadHookPoints => thread.services.get(hooks);
