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
  /** In the order of loading. */
  readonly ids: string[];
  readonly runningTurns: Promise<void>[];
  get(threadId: string): Thread | undefined;
  /** A loaded thread. Throws the error of `turn/*` methods. */
  require(threadId: string): Thread;
  add(parts: ThreadParts): Thread;
  /** Loads a stored thread unless it is loaded; `undefined` when there is none. */
  load(threadId: string, params: SettingsParams): Promise<Thread | undefined>;
  /** Ends a thread's turn and processes and removes it from memory. Its file stays. */
  unload(threadId: string): Promise<void>;
  /** Unloads an idle thread without subscribers after a while, unless that changes. */
  rest(thread: Thread): void;
}

/** Threads and what they are made of. One per server; loaded when the first request needs it. */
export interface Core<Thread = unknown> {
  readonly server: ServerContext;
  readonly config: OpenConfig;
  readonly account: Account;
  readonly store: ThreadStore;
  readonly state: UserState;
  readonly prompts: PromptSource;
  readonly threads: LoadedThreads<Thread>;
  /** Environments besides this machine. */
  environments(): Environments;
  readonly features: FeatureSet<Thread>;
  readonly warningReporter: ConfigWarningReporter;
}
