import type { FunctionCallOutputBody, ResponseItem } from "@quire/protocol";
import type { LayerWarning } from "../../config/layer.ts";
import { service } from "../../context/services.ts";
import type { ActiveTurn } from "../../thread/active-turn.ts";
import type { CallVerdict, InputVerdict, PermissionVerdict, ThreadExtension } from "../../thread/extension.ts";
import type { Thread } from "../../thread/thread.ts";
import type { HookPoints } from "./hook-points.ts";
import { openHooks } from "./open-hooks.ts";

/** What a method of an extension takes. */
type Args<M extends keyof ThreadExtension> = Parameters<Extract<ThreadExtension[M], (...args: never) => unknown>>;

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

  reportWarnings(): void {
    void this.#opened?.then((hooks) => hooks.reportWarnings());
  }

  begin(...args: Args<"begin">): Promise<boolean> | undefined {
    return this.#opened?.then((hooks) => hooks.begin(...args));
  }

  input(...args: Args<"input">): Promise<InputVerdict> | undefined {
    return this.#opened?.then((hooks) => hooks.input(...args));
  }

  notes(): Promise<readonly ResponseItem[]> | undefined {
    return this.#opened?.then((hooks) => hooks.notes());
  }

  beforeModel(turn: ActiveTurn): Promise<void> | undefined {
    return this.#opened?.then((hooks) => hooks.beforeModel(turn));
  }

  afterModel(...args: Args<"afterModel">): Promise<void> | undefined {
    return this.#opened?.then((hooks) => hooks.afterModel(...args));
  }

  beforeCall(...args: Args<"beforeCall">): Promise<CallVerdict> | undefined {
    return this.#opened?.then((hooks) => hooks.beforeCall(...args));
  }

  afterCall(...args: Args<"afterCall">): Promise<FunctionCallOutputBody> | undefined {
    return this.#opened?.then((hooks) => hooks.afterCall(...args));
  }

  permission(...args: Args<"permission">): Promise<PermissionVerdict> | undefined {
    return this.#opened?.then((hooks) => hooks.permission(...args));
  }

  beforeCompaction(turn: ActiveTurn): Promise<boolean> | undefined {
    return this.#opened?.then((hooks) => hooks.beforeCompaction(turn));
  }

  afterCompaction(turn: ActiveTurn): Promise<void> | undefined {
    return this.#opened?.then((hooks) => hooks.afterCompaction(turn));
  }

  stop(...args: Args<"stop">): Promise<boolean> | undefined {
    return this.#opened?.then((hooks) => hooks.stop(...args));
  }

  interrupted(turn: ActiveTurn): Promise<void> | undefined {
    return this.#opened?.then((hooks) => hooks.interrupted(turn));
  }

  close(): Promise<void> | undefined {
    return this.#opened?.then((hooks) => hooks.close());
  }
}

const hooks = service((thread: Thread) => new ThreadHookPoints(thread));

/** The hooks of a thread. */
export const hooksOf = (thread: Thread): ThreadHookPoints => thread.services.get(hooks);
