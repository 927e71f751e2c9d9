import type { GitInfo, SessionSource, SortDirection, ThreadSortKey, ThreadSourceKind } from "@quire/protocol";
import { ClientFault } from "../lib/faults.ts";
import type { NewLine, SessionMeta } from "../record/rollout-line.ts";
import type { ThreadRecord } from "../record/thread-record.ts";

/** Where threads live. Files are the truth, the index only finds them quickly and can be thrown away. */
export interface ThreadStore {
  /** A new rollout. No file is made before the first append. */
  create(meta: SessionMeta): Rollout;
  /** Opens a stored thread (archived ones too) for going on. `undefined` where there is none. A torn last line is healed. */
  open(threadId: string): Promise<OpenedThread | undefined>;
  /** Opens a rollout by its file, relative to the home. Throws an Error that names the path when it is none. */
  openPath(path: string): Promise<OpenedThread>;
  /** Reads a stored thread without opening it. */
  read(threadId: string): Promise<ThreadRecord | undefined>;
  /** Whether there is a file of that thread, archived or not. */
  exists(threadId: string): Promise<boolean>;
  /** What the index knows of one thread. */
  summary(threadId: string): Promise<ThreadSummary | undefined>;
  list(query: ThreadQuery): Promise<ThreadPage>;
  search(query: ThreadSearch): Promise<SearchPage>;
  /** Throws {@link ThreadInUse} while another process writes to the thread. */
  checkFree(threadId: string): void;
  /**
   * Moves the file to the archive. False where there is no unarchived rollout of that id. Like the two below it throws
   * {@link ThreadInUse} while another process writes to the thread.
   */
  archive(threadId: string): Promise<boolean>;
  unarchive(threadId: string): Promise<boolean>;
  delete(threadId: string): Promise<boolean>;
  /** Tells the index what a loaded thread is like now; cheap, written behind. */
  changed(record: ThreadRecord): void;
  /** Writes what is pending in the index and frees everything. */
  close(): Promise<void>;
}

/** A stored thread, opened. */
export interface OpenedThread {
  readonly record: ThreadRecord;
  readonly rollout: Rollout;
  readonly archived: boolean;
  /** The thread's own file, where what was opened by its path is another: a copy, or from before Codex reverted it. */
  readonly storedIn?: string;
}

/**
 * The file of one thread. One process at a time writes: a writer holds the file from `begin` to `end`. Files stay closed
 * between, so that a thousand loaded threads need no thousand descriptors.
 */
export interface Rollout {
  readonly path: string;
  /** Whether there is a file: the first append makes it. */
  readonly isMade: boolean;
  /**
   * Takes the right to write. Gives the thread anew when another process has written since this one last did.
   * Throws {@link ThreadInUse} while another living process holds it. Calls nest.
   */
  begin(): ThreadRecord | undefined;
  /** Gives the thread anew, as `begin` does, for who only reads. Nothing while this process writes. */
  newer(): ThreadRecord | undefined;
  /** Writes lines, all in one write, before it returns. Outside of `begin`…`end` it does both itself. */
  append(lines: readonly NewLine[]): void;
  end(): void;
}

/** Another process is writing to the thread. */
export class ThreadInUse extends ClientFault {
  override readonly name = "ThreadInUse";
  readonly pid: number;

  constructor(threadId: string, pid: number) {
    super(
      `thread ${threadId} is being written by another process (pid ${pid}); wait for its turn to end or stop that process`,
    );
    this.pid = pid;
  }
}

/** Somebody has deleted the file of a loaded thread. */
export class ThreadGone extends ClientFault {
  override readonly name = "ThreadGone";

  constructor(threadId: string, path: string) {
    super(`no rollout found for thread id ${threadId}: ${path} is gone; fork the thread to go on with what it held`);
  }
}

/** One row of the index. */
export interface ThreadSummary {
  readonly id: string;
  readonly sessionId: string;
  readonly path: string;
  readonly archived: boolean;
  readonly name: string | null;
  readonly preview: string;
  readonly cwd: string;
  readonly originator: string;
  readonly cliVersion: string;
  readonly source: SessionSource;
  readonly threadSource: string | null;
  readonly modelProvider: string;
  readonly model: string | null;
  readonly reasoningEffort: string | null;
  readonly gitInfo: GitInfo | null;
  readonly forkedFromId: string | null;
  readonly parentThreadId: string | null;
  readonly agentNickname: string | null;
  readonly agentRole: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What to list. Cursors are opaque; a malformed one makes `list` throw {@link BadCursor}. */
export interface ThreadQuery {
  readonly cursor: string | null;
  readonly limit: number;
  readonly sortKey: ThreadSortKey;
  readonly sortDirection: SortDirection;
  readonly archived: boolean;
  readonly modelProviders: readonly string[] | null;
  readonly originators: readonly string[] | null;
  readonly sourceKinds: readonly ThreadSourceKind[] | null;
  readonly cwds: readonly string[] | null;
  readonly searchTerm: string | null;
  readonly parentThreadId: string | null;
  readonly ancestorThreadId: string | null;
  readonly excludedThreadIds: readonly string[];
  /** Nothing but these, where given. */
  readonly threadIds?: readonly string[] | undefined;
  /** Whether threads are listed too in which nothing was said yet. */
  readonly silent?: boolean | undefined;
}

/** A cursor that no page gave. */
export class BadCursor extends Error {
  override readonly name = "BadCursor";
}

/** One page of a list. */
export interface ThreadPage {
  readonly threads: readonly ThreadSummary[];
  readonly nextCursor: string | null;
  readonly backwardsCursor: string | null;
}

/** A search over the content of threads. */
export interface ThreadSearch {
  readonly term: string;
  readonly cursor: string | null;
  readonly limit: number;
  readonly archived: boolean;
  readonly sortKey: Exclude<ThreadSortKey, "section_position">;
  readonly sortDirection: SortDirection;
  readonly sourceKinds: readonly ThreadSourceKind[] | null;
}

/** One page of search results. */
export interface SearchPage {
  readonly results: readonly { readonly thread: ThreadSummary; readonly snippet: string }[];
  readonly nextCursor: string | null;
  readonly backwardsCursor: string | null;
}
