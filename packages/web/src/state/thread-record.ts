import type { Thread, ThreadStatus as WireStatus } from "@quire/protocol";
import type { ThreadKey, ThreadStatus, ThreadSummary } from "./model.ts";

/** Facts about a thread that only the page knows. */
interface RecordFlags {
  /** True for threads in lists; one that only a search found is not listed. */
  listed: boolean;
  archived: boolean;
  unread: boolean;
  /** The last turn failed, and no other began since. */
  failed: boolean;
  /** Questions that wait for somebody. */
  waiting: number;
  /** Turn in progress, for servers that do not tell a thread's status. */
  activeTurn: string | null;
}

/** Tries to look up a missing branch: as the first turn begins and ends, and for a while after. */
const branchLooks = 6;

/** A thread as lists know it. */
export class ThreadRecord {
  readonly key: ThreadKey;
  readonly flags: RecordFlags = {
    listed: false,
    archived: false,
    unread: false,
    failed: false,
    waiting: 0,
    activeTurn: null,
  };
  #thread: Thread;
  #summary: ThreadSummary | null = null;
  #branchLooks = 0;

  constructor(hub: string, thread: Thread) {
    this.key = { hub, thread: thread.id };
    this.#thread = thread;
  }

  get thread(): Thread {
    return this.#thread;
  }

  get wireStatus(): WireStatus {
    // Servers before 0.118 do not have it.
    return this.#thread.status ?? { type: "idle" };
  }

  /** The thread whose sub-agent this one is. */
  get parent(): string | null {
    return subAgent(this.#thread).parent;
  }

  get updatedAt(): number {
    return this.#thread.updatedAt;
  }

  /** True while a turn runs, also while it waits for an answer. */
  get active(): boolean {
    return this.flags.activeTurn !== null || this.wireStatus.type === "active";
  }

  /** True if a look-up may find the branch. Counts the tries. */
  mayHaveBranch(): boolean {
    return (this.#thread.gitInfo ?? null) === null && this.#branchLooks++ < branchLooks;
  }

  /** Updates the thread. Lists give no turns, and may lag behind notifications. */
  update(thread: Partial<Thread>): void {
    const preview = thread.preview === undefined || thread.preview === "" ? this.#thread.preview : thread.preview;
    this.#thread = { ...this.#thread, ...thread, preview, turns: [] };
    this.changed();
  }

  /** Moves the time of the last update to now. */
  happened(nowMs: number): void {
    this.update({ updatedAt: Math.max(this.#thread.updatedAt, Math.floor(nowMs / 1000)) });
  }

  set(flags: Partial<RecordFlags>): void {
    Object.assign(this.flags, flags);
    this.changed();
  }

  /** Invalidates the summary. */
  changed(): void {
    this.#summary = null;
  }

  /** The same object until something changed; a change of the link is one. */
  summary(connected: boolean): ThreadSummary {
    this.#summary ??= {
      key: this.key,
      name: this.#thread.name ?? null,
      preview: this.#thread.preview,
      cwd: this.#thread.cwd,
      status: this.#status(connected),
      unread: this.flags.unread,
      archived: this.flags.archived,
      ...subAgent(this.#thread),
      forkedFrom: this.#thread.forkedFromId ?? null,
      model: this.#thread.model ?? null,
      updatedAt: this.#thread.updatedAt,
      createdAt: this.#thread.createdAt,
      branch: this.#thread.gitInfo?.branch ?? null,
    };
    return this.#summary;
  }

  #status(connected: boolean): ThreadStatus {
    const wire = this.wireStatus;
    if (!connected) return "disconnected";
    if (this.flags.waiting > 0) return "waiting";
    if (wire.type === "active") return wire.activeFlags.length > 0 ? "waiting" : "working";
    if (this.flags.activeTurn !== null) return "working";
    if (this.flags.failed || wire.type === "systemError") return "failed";
    return wire.type;
  }
}

/** The thread's parent and its name as a sub-agent. Older servers say it only in the thread's source. */
function subAgent(thread: Thread): Pick<ThreadSummary, "parent" | "agentNickname" | "agentRole"> {
  const { source } = thread;
  const from = typeof source === "object" && "subAgent" in source ? source.subAgent : null;
  const spawn = typeof from === "object" && from !== null && "thread_spawn" in from ? from.thread_spawn : null;
  return {
    parent: thread.parentThreadId ?? spawn?.parent_thread_id ?? null,
    agentNickname: thread.agentNickname ?? spawn?.agent_nickname ?? null,
    agentRole: thread.agentRole ?? spawn?.agent_role ?? null,
  };
}
