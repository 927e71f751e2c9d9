import type {
  Account,
  ApprovalsReviewer,
  AskForApproval,
  ClientRequests,
  CommandExecParams,
  FuzzyFileSearchResult,
  LoginAccountParams,
  LoginAccountResponse,
  ModeKind,
  Model,
  ReasoningEffort,
  ReviewTarget,
  SandboxPolicy,
  Thread,
  UserInput,
} from "@quire/protocol";
import type { TerminalInfo } from "@quire/protocol/gateway";
import type { KeyVerdict, ProviderAddress } from "../link/key-check.ts";
import type { Skill, ThreadKey } from "./model.ts";

/** Options of a new thread. The server chooses those that are left out. */
interface NewThreadOptions {
  readonly cwd?: string | undefined;
  readonly model?: string | undefined;
  readonly approvalPolicy?: AskForApproval | undefined;
  readonly sandbox?: "read-only" | "workspace-write" | "danger-full-access" | undefined;
}

/** Settings that change with a turn and hold for those after it. */
export interface TurnOverrides {
  readonly model?: string | undefined;
  readonly effort?: ReasoningEffort | undefined;
  readonly sandboxPolicy?: SandboxPolicy | undefined;
  readonly approvalPolicy?: AskForApproval | undefined;
  readonly approvalsReviewer?: ApprovalsReviewer | undefined;
  readonly mode?: ModeKind | undefined;
  readonly cwd?: string | undefined;
}

/** A hit of a search over threads. */
export interface SearchHit {
  readonly key: ThreadKey;
  readonly thread: Thread;
  /** Text around the match; empty where only the name matched. */
  readonly snippet: string;
}

/** A terminal that this page shows. */
export interface TerminalHandle {
  write(text: string): Promise<void>;
  resize(size: { readonly cols: number; readonly rows: number }): Promise<void>;
  /** Stops listening; the terminal goes on. */
  detach(): void;
  readonly exited: Promise<{ readonly exitCode: number | null }>;
}

/** Receives the output of a terminal; `replayed` marks what came before the page listened. */
export type TerminalSink = (bytes: Uint8Array, replayed: boolean) => void;

/** The terminals of a hub. They belong to the gateway, so that they outlive this page. */
export interface TerminalPort {
  list(): Promise<readonly TerminalInfo[]>;
  onChange(listener: (terminals: readonly TerminalInfo[]) => void): () => void;
  /** Opens one beside a thread and gives its id. */
  open(threadId: string, cwd: string): Promise<string>;
  /** Shows one: what it has written, and what it writes. */
  attach(id: string, onOutput: TerminalSink): Promise<TerminalHandle>;
  close(id: string): Promise<void>;
}

/** All actions of the page. Promises reject with an Error whose message can be shown. */
export interface Actions {
  /** Opens a thread, which subscribes the hub to it, and marks it as read. */
  openThread(key: ThreadKey): Promise<void>;
  /** Marks a thread as no longer shown; after a while it is released. */
  leaveThread(key: ThreadKey): void;
  newThread(hub: string, options?: NewThreadOptions): Promise<ThreadKey>;
  send(key: ThreadKey, input: readonly UserInput[], overrides?: TurnOverrides): Promise<void>;
  /** Adds to the turn in progress; where the server cannot, or the turn just ended, starts a turn. */
  steer(key: ThreadKey, input: readonly UserInput[]): Promise<void>;
  /** Queues a message at the server; the `overrides` hold from the next turn on. */
  queueAdd(key: ThreadKey, input: readonly UserInput[], overrides?: TurnOverrides): Promise<void>;
  /** Removes a queued message; false where it is no longer queued. */
  queueDelete(key: ThreadKey, id: string): Promise<boolean>;
  queueReorder(key: ThreadKey, ids: readonly string[]): Promise<void>;
  /** Starts a turn with a queued message, in an idle thread. */
  queueStart(key: ThreadKey, id: string): Promise<void>;
  /** Stops the turn in progress; resolves when the server has accepted that. */
  interrupt(key: ThreadKey): Promise<void>;
  /** Answers a question of the server; `label` says in words what was answered. */
  answer(requestId: string, result: unknown, label: string): Promise<void>;
  /** Refuses a question with an error, for questions that nobody can answer here. */
  refuse(requestId: string, message: string): Promise<void>;
  rename(key: ThreadKey, name: string): Promise<void>;
  /** Makes a copy of a thread, up to and including a turn where one is named; resolves with the copy's key. */
  fork(key: ThreadKey, lastTurnId?: string): Promise<ThreadKey>;
  archive(key: ThreadKey): Promise<void>;
  unarchive(key: ThreadKey): Promise<void>;
  compact(key: ThreadKey): Promise<void>;
  review(key: ThreadKey, target: ReviewTarget): Promise<void>;
  /** Loads the page of turns before the oldest one. */
  loadOlder(key: ThreadKey): Promise<void>;
  markRead(key: ThreadKey): void;
  setUnread(key: ThreadKey, unread: boolean): void;
  refreshThreads(hub: string): Promise<void>;
  loadMoreThreads(hub: string): Promise<void>;
  /** Threads that were archived; one page. */
  listArchived(
    hub: string,
    cursor?: string | null,
  ): Promise<{ readonly keys: readonly ThreadKey[]; readonly next: string | null }>;
  /** Searches names and, where the server can, contents of the threads of every ready hub. */
  searchThreads(term: string, signal?: AbortSignal): Promise<readonly SearchHit[]>;
  searchFiles(hub: string, query: string, cwd: string): Promise<readonly FuzzyFileSearchResult[]>;
  listSkills(hub: string, cwd: string): Promise<readonly Skill[]>;
  listModels(hub: string): Promise<readonly Model[]>;
  readAccount(hub: string): Promise<{ readonly account: Account | null; readonly requiresOpenaiAuth: boolean }>;
  login(hub: string, params: LoginAccountParams): Promise<LoginAccountResponse>;
  logout(hub: string): Promise<void>;
  /** Asks the provider of a server's models whether it knows a key. */
  checkKey(hub: string, key: string): Promise<KeyVerdict>;
  /** Asks any provider for its models, with a key or, where it is empty, without. */
  checkProvider(key: string, provider: ProviderAddress): Promise<KeyVerdict>;
  /** Reads again what depends on a server's configuration, after a change of it. */
  configChanged(hub: string): void;
  /** Runs a shell command in a thread, as the user's own. */
  shellCommand(key: ThreadKey, command: string): Promise<void>;
  terminals(hub: string): TerminalPort;
  /** Runs a command to its end. */
  exec(
    hub: string,
    params: CommandExecParams,
  ): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>;
  addHub(address: string): Promise<void>;
  removeHub(id: string): void;
  reconnectHub(id: string): void;
  toast(level: "info" | "warning" | "error", text: string): void;
  dismissToast(id: number): void;
  /** Any other method of a hub. */
  request<M extends keyof ClientRequests>(
    hub: string,
    method: M,
    params: ClientRequests[M]["params"],
  ): Promise<ClientRequests[M]["result"]>;
  /** Listens to one notification of a hub; the returned function stops that. */
  onNotification(hub: string, method: string, listener: (params: unknown) => void): () => void;
}
