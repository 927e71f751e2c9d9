import type { LayerWarning } from "../../config/layer.ts";
import { service } from "../../context/services.ts";
import type { Feature } from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";
import type { HookPoints } from "./hook-points.ts";
import { openHooks } from "./open-hooks.ts";

/** The hooks of a thread, mostly none; they change with the configuration. */
class ThreadHookPoints {
  readonly #thread: Thread;
  opened: Promise<HookPoints> | undefined;

  constructor(thread: Thread) {
    this.#thread = thread;
    this.opened = openHooks(thread);
  }

  /** Reads them again in the same session. */
  reload(): void {
    this.opened = openHooks(this.#thread, null);
  }

  /** Warnings about unreviewed hooks; `undefined` when there are no hooks. */
  unreviewed(): Promise<readonly LayerWarning[]> | undefined {
    return this.opened?.then((hooks) => hooks.unreviewed);
  }

  reportWarnings(): void {
    void this.opened?.then((hooks) => hooks.reportWarnings());
  }
}

const points = service((thread: Thread) => new ThreadHookPoints(thread));

const hooksOf = (thread: Thread): ThreadHookPoints => thread.services.get(points);

const opened = (thread: Thread) => hooksOf(thread).opened;

/** Runs the hooks that the configuration, projects and plugins set up. */
export const hooks: Feature<Thread> = {
  // Looked up once, with the thread.
  open: hooksOf,
  joined: (thread, by) => {
    if (by === "start") hooksOf(thread).reportWarnings();
  },
  warnings: (thread) => hooksOf(thread).unreviewed(),
  reload: (thread) => hooksOf(thread).reload(),
  begin: (thread, turn, add) => opened(thread)?.then((at) => at.begin(turn, add)),
  input: (thread, turn, input) => opened(thread)?.then((at) => at.input(turn, input)),
  notes: (thread) => opened(thread)?.then((at) => at.notes()),
  beforeModel: (thread, turn) => opened(thread)?.then((at) => at.beforeModel(turn)),
  afterModel: (thread, turn, answer) => opened(thread)?.then((at) => at.afterModel(turn, answer)),
  beforeCall: (thread, turn, asked) => opened(thread)?.then((at) => at.beforeCall(turn, asked)),
  afterCall: (thread, turn, answered) => opened(thread)?.then((at) => at.afterCall(turn, answered)),
  permission: (thread, turn, asked) => opened(thread)?.then((at) => at.permission(turn, asked)),
  beforeCompaction: (thread, turn) => opened(thread)?.then((at) => at.beforeCompaction(turn)),
  afterCompaction: (thread, turn) => opened(thread)?.then((at) => at.afterCompaction(turn)),
  stop: (thread, turn, asked) => opened(thread)?.then((at) => at.stop(turn, asked)),
  interrupted: (thread, turn) => opened(thread)?.then((at) => at.interrupted(turn)),
  close: (thread) => opened(thread)?.then((at) => at.close()),
};
