import type {
  GitInfo,
  SessionSource,
  SortDirection,
  ThreadHistoryMode,
  ThreadSortKey,
  ThreadSourceKind,
  Turn,
} from "@quire/protocol";
import type { NodeAddress } from "../context/server-context.ts";
import { ClientFault } from "../lib/faults.ts";
import type { NewLine, SessionMeta } from "../record/rollout-line.ts";
import type { ThreadRecord } from "../record/thread-record.ts";

/** The storage of threads. Files are the truth; the index only finds them quickly and can be thrown away. */
export interface ThreadStore {
  /** The first append makes the file. */
  create(meta: SessionMeta): Rollout;
  /**
   * Opens a stored thread for writing, also an archived one, and heals a torn last line. `undefined` without a file.
   */
  open(threadId: string): Promise<OpenedThread | undefined>;
  /** Opens a rollout by its path, relative to the home. Throws an Error that names the path when it is none. */
  openPath(path: string): Promise<OpenedThread>;
  read(threadId: string): Promise<ThreadRecord | undefined>;
  /** The thread's turns, of which only those that are asked for are read, where the file allows it. */
  turns(threadId: string): Promise<StoredTurns | undefined>;
  /**
   * The last turns of a longer thread, without a look at the others. `undefined` where all have to be looked at, or are
   * known.
   */
  lastTurns(threadId: string, limit: number): Promise<readonly Turn[] | undefined>;
  /** True when the thread has a file, archived or not. */
  exists(threadId: string): Promise<boolean>;
  summary(threadId: string): Promise<ThreadSummary | undefined>;
  list(query: ThreadQuery): Promise<ThreadPage>;
  search(query: ThreadSearch): Promise<SearchPage>;
  /** Throws {@link ThreadInUse} while another process writes to the thread. */
  checkFree(threadId: string): void;
  /** Moves the file to the archive; false without one. Like the two below, throws {@link ThreadInUse}. */
  archive(threadId: string): Promise<boolean>;
  unarchive(threadId: string): Promise<boolean>;
  delete(threadId: string): Promise<boolean>;
  /** Updates the index for a loaded thread; cheap, written later. */
  changed(record: ThreadRecord): void;
  /**
   * A promise while something that was written to a loaded thread is not stored for good; `undefined` where appending
   * does that. Rejects when it never will be.
   */
  stored(threadId: string): Promise<void> | undefined;
  /** The living server that has a thread, if it is another than this one; `undefined` at once where there are no others. */
  elsewhere(threadId: string): Promise<NodeAddress | undefined> | undefined;
  /** The thread is no longer loaded: others may write it. */
  release(threadId: string): Promise<void>;
  /** Writes pending index entries and frees everything. */
  close(): Promise<void>;
}

/** The turns of a stored thread, as they were when it was found. Callers must not change them. */
export interface StoredTurns {
  readonly count: number;
  /** -1 for a turn that the thread does not have. */
  indexOf(turnId: string): number;
  read(from: number, to: number): Promise<readonly Turn[]>;
  /** All of them, as they are now; kept for a while, for who goes through them. */
  all(): Promise<readonly Turn[]>;
}

/** A stored thread, opened. */
export interface OpenedThread {
  readonly record: ThreadRecord;
  readonly rollout: Rollout;
  readonly archived: boolean;
  /** The thread's own file, if another was opened by path: a copy, or one from before Codex reverted it. */
  readonly storedIn?: string;
}

/** The file of one thread. One process at a time writes, from `begin` to `end`; in between it is closed. */
export interface Rollout {
  readonly path: string;
  /** True once the first append has made the file. */
  readonly isMade: boolean;
  /**
   * Takes the right to write; calls nest. Returns the thread anew when another process has written meanwhile. Throws
   * {@link ThreadInUse} while another living process holds it.
   */
  begin(): ThreadRecord | undefined;
  /** Like `begin`, for readers, and with others in between. Nothing while this process writes. */
  newer(): Promise<ThreadRecord | undefined>;
  /** Writes all lines at once, before it returns. Outside of `begin`…`end` it calls both itself. */
  append(lines: readonly NewLine[]): void;
  /** Writes many lines at once too, and lets others in while it prepares them. Nothing else may append meanwhile. */
  appendGently(lines: readonly NewLine[]): Promise<void>;
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
    super(`no rollout found for thread id ${threadId}: ${path} is gone; fork the thread to continue with its contents`);
  }
}

/** A row of the index. */
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
  readonly historyMode: ThreadHistoryMode;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Filters for a list. Cursors are opaque; a malformed one makes `list` throw {@link BadCursor}. */
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
  readonly threadIds?: readonly string[] | undefined;
  /** True to include threads without messages. */
  readonly silent?: boolean | undefined;
}

/** The newest threads that people started. */
export const newestThreads: ThreadQuery = {
  cursor: null,
  limit: 100,
  sortKey: "created_at",
  sortDirection: "desc",
  archived: false,
  modelProviders: null,
  originators: null,
  sourceKinds: null,
  cwds: null,
  searchTerm: null,
  parentThreadId: null,
  ancestorThreadId: null,
  excludedThreadIds: [],
};

/** A cursor that no page gave. */
export class BadCursor extends ClientFault {
  override readonly name = "BadCursor";

  constructor(cursor: string) {
    super(`invalid cursor: ${cursor}`);
  }
}

/** A page of a list. */
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

/** A page of search results. */
export interface SearchPage {
  readonly results: readonly { readonly thread: ThreadSummary; readonly snippet: string }[];
  readonly nextCursor: string | null;
  readonly backwardsCursor: string | null;
}
