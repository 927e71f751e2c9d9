import type { Account } from "../account/account.ts";
import type { OpenConfig } from "../config/open-config.ts";
import type { ServerContext } from "../context/server-context.ts";
import type { ConfigWarningReporter } from "../doctor/report-warnings.ts";
import type { PromptSource } from "../prompt/prompt-source.ts";
import type { Environments } from "../run/environments/environments.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import type { UserState } from "../user-state/user-state.ts";
import type { FeatureSet } from "./features.ts";
import type { SettingsParams } from "./settings-params.ts";
import type { ThreadParts } from "./thread-parts.ts";

/** The threads that are loaded. */
export interface LoadedThreads<Thread> {
  /** Ids in the order of loading. */
  readonly ids: string[];
  /** The turns that run, each until it has ended. */
  readonly runningTurns: Promise<void>[];
  get(threadId: string): Thread | undefined;
  /** A loaded thread, or the error that `turn/*` and their like give. */
  require(threadId: string): Thread;
  add(parts: ThreadParts): Thread;
  /** Loads a stored thread; one that is loaded already stays as it is. `undefined` where there is none. */
  load(threadId: string, params: SettingsParams): Promise<Thread | undefined>;
  /** Ends a thread's turn and processes and forgets it. Its file stays. */
  unload(threadId: string): Promise<void>;
  /** Nobody listens to a thread and nothing runs on it: unless that changes, it is unloaded after a while. */
  rest(thread: Thread): void;
}

/** Threads and what they are made of. One per server; loaded when the first request needs it. */
export interface Core<Thread = unknown> {
  readonly server: ServerContext;
  readonly config: OpenConfig;
  readonly account: Account;
  readonly store: ThreadStore;
  /** What users keep about threads. */
  readonly state: UserState;
  readonly prompts: PromptSource;
  readonly threads: LoadedThreads<Thread>;
  /** Where commands can run besides this machine. */
  environments(): Environments;
  readonly features: FeatureSet<Thread>;
  /** Tells clients what is wrong with the configuration. */
  readonly warningReporter: ConfigWarningReporter;
}
